// Builds every movement once, paused, so that seek() shows any moment without playing up to it.
const find = (selector) => document.querySelector(selector)
const settle = 'cubic-bezier(0.2, 0.7, 0.2, 1)'
const ticks = []

const hidden = { opacity: 0 }
const entrances = {
  fade: [hidden, { opacity: 1 }],
  up: [
    { ...hidden, translate: '0 40px' },
    { opacity: 1, translate: '0 0' },
  ],
  left: [
    { ...hidden, translate: '-40px 0' },
    { opacity: 1, translate: '0 0' },
  ],
  pop: [
    { ...hidden, scale: 0.6 },
    { opacity: 1, scale: 1.06, offset: 0.6 },
    { opacity: 1, scale: 1 },
  ],
  grow: [{ scale: '0 1' }, { scale: '1 1' }],
  down: [{ scale: '1 0' }, { scale: '1 1' }],
}

/** Seconds; holds the first and the last picture before and after. */
function move(element, keyframes, at, length = 0.6, easing = settle) {
  const animation = element.animate(keyframes, {
    delay: at * 1000,
    duration: length * 1000,
    fill: 'both',
    easing,
  })
  animation.pause()
}

/** 0 before `at`, 1 after `at + length`. */
const share = (time, at, length) => Math.min(1, Math.max(0, (time - at) / length))
const eased = (x) => x * x * (3 - 2 * x)

const slant = (edge) => `polygon(-60% 0, ${edge + 16}% 0, ${edge - 16}% 100%, -60% 100%)`
const stripe = (edge) =>
  `polygon(${edge + 16}% 0, ${edge + 24}% 0, ${edge - 8}% 100%, ${edge - 16}% 100%)`

const begins = {}
let end = 0
for (const [index, scene] of [...document.querySelectorAll('section')].entries()) {
  const at = end
  begins[scene.id] = at
  end += Number(scene.dataset.length)
  scene.style.zIndex = index * 2
  if (index > 0) {
    const flash = Object.assign(document.createElement('i'), { className: 'flash' })
    flash.style.zIndex = index * 2 + 1
    scene.after(flash)
    const easing = 'cubic-bezier(0.6, 0, 0.3, 1)'
    move(scene, [{ clipPath: slant(-30) }, { clipPath: slant(130) }], at, 0.75, easing)
    move(flash, [{ clipPath: stripe(-40) }, { clipPath: stripe(130) }], at, 0.75, easing)
  }
  for (const element of scene.querySelectorAll('[data-in]')) {
    const [how, after] = element.dataset.in.split(' ')
    move(element, entrances[how], at + Number(after), how === 'pop' ? 0.45 : 0.6)
  }
  for (const element of scene.querySelectorAll('[data-out]')) {
    // A filter, because the entrance already rules the opacity.
    const [, after] = element.dataset.out.split(' ')
    ticks.push((time) => {
      element.style.filter = `opacity(${1 - share(time, at + Number(after), 0.25)})`
    })
  }
}

// title: the bolt strikes the tile, the halves part
move(find('#left-half'), [{ translate: '2px 0' }, { translate: '0 0' }], 0.75, 0.5)
move(find('#right-half'), [{ translate: '-2px 0' }, { translate: '0 0' }], 0.75, 0.5)
move(
  find('#strike'),
  [{ clipPath: 'inset(0 0 100% 0)' }, { clipPath: 'inset(0 0 0 0)' }],
  0.6,
  0.22,
  'ease-in',
)
move(
  find('#title .mark'),
  [
    { ...hidden, scale: 0.8 },
    { opacity: 1, scale: 1 },
  ],
  0.05,
  0.5,
)

// lesson: a video arrives
ticks.push((time) => {
  const arrived = eased(share(time, begins.lesson + 3.7, 2.4))
  const percent = Math.round(arrived * 100)
  find('#upload-text').textContent = percent < 100 ? `Uploading ${percent}%` : 'Ready to play'
  find('#upload-bar').style.scale = `${arrived} 1`
})
move(find('#play-ready'), entrances.pop, begins.lesson + 6.1, 0.45)

// publish: the pointer comes, presses, and the address is written
const press = begins.publish + 3.6
move(
  find('#pointer'),
  [{ translate: '1180px 720px' }, { translate: '652px 572px' }],
  begins.publish + 2.2,
  1.2,
  'ease-in-out',
)
move(find('#publish-button'), [{ scale: 1 }, { scale: 0.93 }, { scale: 1 }], press, 0.3)
move(
  find('#ring'),
  [
    { opacity: 1, scale: 0.2 },
    { opacity: 0, scale: 2.2 },
  ],
  press + 0.1,
  0.7,
)
move(find('#pointer'), [{ opacity: 1 }, { opacity: 0 }], press + 1, 0.3)
ticks.push((time) => {
  const address = '/course/fix-a-flat-at-the-roadside'
  const letters = Math.round(share(time, press + 1, 1.6) * address.length)
  find('#typed').textContent = address.slice(0, letters)
  find('#caret').style.opacity = time > press && Math.floor(time * 2) % 2 === 0 ? 1 : 0
  find('#ring').style.visibility = time > press + 0.1 ? 'visible' : 'hidden'
})

// resume: 2:04 to 2:07 on the phone, from 2:07 on the laptop; the video is four minutes long
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
ticks.push((time) => {
  const onPhone = 124 + Math.floor(share(time, begins.resume + 1.1, 2) * 3)
  const onLaptop = 127 + Math.floor(Math.max(0, time - begins.resume - 5.4))
  find('#phone-clock').textContent = clock(onPhone)
  find('#laptop-clock').textContent = clock(onLaptop)
  find('#phone-bar').style.scale = `${onPhone / 240} 1`
  find('#laptop-bar').style.scale = `${onLaptop / 240} 1`
})

// progress: six lessons, one every half second
ticks.push((time) => {
  let filled = 0
  let done = 0
  for (let lesson = 0; lesson < 6; lesson++) {
    const part = eased(share(time, begins.progress + 1.5 + lesson * 0.5, 0.35))
    filled += part / 6
    if (part === 1) done++
  }
  find('#done').textContent = String(done)
  find('#percent').textContent = `${Math.round((done / 6) * 100)}%`
  find('#course-bar').style.scale = `${filled} 1`
  find('#message').textContent =
    done === 0 ? 'Get Started' : done < 6 ? 'Keep Going!' : 'Course Completed!'
})
for (const [index, spark] of [...document.querySelectorAll('.spark')].entries()) {
  move(spark, entrances.pop, begins.progress + 4.4 + index * 0.14, 0.5)
}

/** Shows the picture at this many seconds. */
window.seek = (seconds) => {
  for (const animation of document.getAnimations()) animation.currentTime = seconds * 1000
  for (const tick of ticks) tick(seconds)
}
window.videoLength = end
window.seek(Number(location.hash.slice(1)) || 0)
