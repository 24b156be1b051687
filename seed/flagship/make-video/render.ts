/**
 * Makes ../welcome.mp4 and ../welcome.jpg from welcome.html. Needs ffmpeg on the PATH and a
 * Chromium: CHROMIUM=/path/to/chromium, /usr/bin/chromium by default. Takes a few minutes.
 *
 *   node seed/flagship/make-video/render.ts           the video and its poster
 *   node seed/flagship/make-video/render.ts 3 12.5    only these moments, as PNG
 *
 * The sound is made by ffmpeg too: two soft chords that breathe in turn, every 16 seconds.
 */
import { chromium, type CDPSession } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const framesPerSecond = 30
const posterAt = 3.6
const size = { width: 1280, height: 720 }
const file = (name: string) => new URL(name, import.meta.url)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--allow-file-access-from-files', '--force-color-profile=srgb'],
})
const page = await browser.newPage({ viewport: size })
await page.goto(file('welcome.html').href)
await page.evaluate(() => document.fonts.ready)
const devTools = await page.context().newCDPSession(page)

const moments = process.argv.slice(2).map(Number)
if (moments.length > 0) await saveMoments(devTools, moments)
else await makeVideo(devTools, Number(await page.evaluate('videoLength')))
await browser.close()

async function picture(session: CDPSession, seconds: number, format: 'png' | 'jpeg' = 'png') {
  await page.evaluate(`seek(${seconds})`)
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    quality: format === 'jpeg' ? 82 : undefined,
    optimizeForSpeed: true,
  })
  return Buffer.from(data, 'base64')
}

async function saveMoments(session: CDPSession, times: number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'welcome-'))
  for (const time of times) {
    await writeFile(join(folder, `${time}.png`), await picture(session, time))
  }
  console.log(folder)
}

/** ffmpeg's options as one would type them. */
function options(line: string) {
  return line.split(' ')
}

/** A chord of sines as an ffmpeg expression; `phase` says when in the 16 seconds it is loudest. */
function chord(frequencies: number[], phase: number) {
  const voices = frequencies.map((hertz, index) => {
    const shimmer = `(0.7+0.3*sin(2*PI*t*${(0.11 + index * 0.03).toFixed(2)}+${index}))`
    return `${shimmer}*sin(2*PI*${hertz}*t)/${index + 2}`
  })
  return `(0.5-0.5*cos(2*PI*t/16+${phase}))*(${voices.join('+')})`
}

async function makeVideo(session: CDPSession, length: number) {
  await writeFile(file('../welcome.jpg'), await picture(session, posterAt, 'jpeg'))

  const tones = `0.15*(${chord([110, 164.81, 220, 277.18], 1.6)}+${chord([92.5, 138.59, 220, 329.63], 4.74)})`
  const sound = `aevalsrc='${tones}':s=44100:d=${length}`
  const soften = `lowpass=f=900,aecho=0.8:0.7:120|310:0.3|0.2,afade=t=in:d=2,afade=t=out:st=${length - 3}:d=3`
  const encoder = spawn(
    'ffmpeg',
    [
      options(`-y -loglevel error -f image2pipe -framerate ${framesPerSecond} -c:v png -i pipe:0`),
      ['-f', 'lavfi', '-i', sound, '-af', soften],
      options('-vf scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'),
      options('-colorspace bt709 -color_primaries bt709 -color_trc bt709'),
      options('-c:v libx264 -preset slow -crf 25 -tune animation -g 60'),
      options(`-c:a aac -b:a 48k -ac 1 -t ${length} -movflags +faststart`),
      [fileURLToPath(file('../welcome.mp4'))],
    ].flat(),
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
  const ended = once(encoder, 'exit')
  for (let frame = 0; frame < length * framesPerSecond; frame++) {
    const image = await picture(session, frame / framesPerSecond)
    if (!encoder.stdin.write(image)) await once(encoder.stdin, 'drain')
  }
  encoder.stdin.end()
  const [code] = await ended
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}
