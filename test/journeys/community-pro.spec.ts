// What an instructor has with Pro: channels, a poll that two members vote in, posts for later, announcements.
import type { APIRequestContext, Page } from '@playwright/test'
import sharp from 'sharp'
import type { CaughtMail } from '../../src/server/caught-mails.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const composer = (page: Page) => page.getByRole('form', { name: 'New post' })
const postWith = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Posts' }).getByRole('article').filter({ hasText: text })

async function openPlainComposer(page: Page, text: string) {
  await page.getByRole('button', { name: 'Write something...' }).click()
  await composer(page).getByRole('textbox', { name: 'Write a post' }).fill(text)
}

/** The same with everything that the instructor can add. */
async function openComposer(page: Page, text: string) {
  await openPlainComposer(page, text)
  await composer(page).getByText('Poll, schedule, announcement').click()
}

async function send(page: Page) {
  await composer(page).getByRole('button', { name: 'Post', exact: true }).click()
  await expect(composer(page)).toBeHidden()
}

async function addPicture(page: Page, form = composer(page)) {
  const background = '#5b28dc'
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background } }).png()
  const file = { name: 'knot.png', mimeType: 'image/png', buffer: await picture.toBuffer() }
  await form.getByLabel('Images and videos').setInputFiles([file])
  await expect(form.getByRole('button', { name: 'Remove: 1, knot.png' })).toBeVisible()
  await expect(form.getByRole('progressbar')).toHaveCount(0)
}

/** By the clock of the browser, as its own input has it. */
const localInput = (page: Page, hours: number) =>
  page.evaluate((ahead) => {
    const at = new Date(Date.now() + ahead * 3_600_000)
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }, hours)

async function join(request: APIRequestContext, courseId: string) {
  const joined = await request.post('/rest/v1/enrollments', { data: { courseId } })
  expect(joined.status()).toBe(200)
}

test('channels, polls, posts for later and announcements', async ({
  page,
  browser,
  baseURL,
  thunder,
  request,
}) => {
  const complaints = complaintsOf(page)
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Sails of ${creator.email}`)
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  const phone = await somebodyElse(browser, { baseURL, viewport: { width: 375, height: 812 } })
  const mia = await signedUp(phone.page.request, 'Mia Member')
  await join(phone.page.request, course.id)
  const other = await somebodyElse(browser, { baseURL })
  const max = await signedUp(other.page.request, 'Max Member')
  await join(other.page.request, course.id)

  await test.step('without Pro it says what there would be', async () => {
    await page.goto(discussion)
    await hydrated(page)
    await openComposer(page, 'Just words')
    await expect(composer(page).getByText('PRO', { exact: true })).toBeVisible()
    for (const name of ['Add a poll', 'Schedule', 'Announce to all members']) {
      await expect(composer(page).getByRole('checkbox', { name })).toBeDisabled()
    }
    await expectNoAxeViolations(page)
    await composer(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Channels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Channels' })
    await expect(dialog.getByText('Channels are a Pro benefit.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add Channel' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  const pro = 'insert into plan_grants (user_id) select id from users where email = $1'
  await inDatabase(thunder, pro, [creator.email])
  await phone.page.goto(discussion)
  await hydrated(phone.page)
  const nav = (at: Page) => at.getByRole('navigation', { name: 'Channels' })

  await test.step('channels are made, ordered, and appear for members at once', async () => {
    await page.reload()
    await hydrated(page)
    await page.getByRole('button', { name: 'Channels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Channels' })
    for (const name of ['Wins', 'Questions', 'wins']) {
      await dialog.getByRole('button', { name: 'Add Channel' }).press('Enter')
      await page.keyboard.type(name)
    }
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Two channels cannot have the same name.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Remove “wins”', exact: true }).press('Enter')
    await dialog.getByRole('button', { name: 'Move “Questions” up' }).press('Enter')
    await expect(dialog.getByText('Questions is now 1 of 2.')).toBeAttached()
    await expect(dialog.getByRole('button', { name: 'Move “Questions” up' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Save Channels' }).click()
    await expect(dialog).toBeHidden()
    await expect(nav(page).getByRole('link')).toHaveText(['All', 'Questions', 'Wins'])
    await expect(nav(phone.page).getByRole('link')).toHaveText(['All', 'Questions', 'Wins'])
  })

  await test.step('one that is added elsewhere while they are edited stays', async () => {
    const { channels } = await (
      await page.request.get(`/rest/v1/courses/${course.slug}/posts`)
    ).json()
    const saved = (list: object[]) =>
      page.request.put(`/rest/v1/courses/${course.id}/channels`, { data: { channels: list } })
    await page.getByRole('button', { name: 'Channels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Channels' })
    await dialog.getByRole('button', { name: 'Move “Wins” up' }).click()
    expect((await saved([...channels, { name: 'Talk' }])).status()).toBe(200)
    await expect(dialog.getByText('Added elsewhere since you opened this: “Talk”.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save Channels' }).click()
    await expect(dialog).toBeHidden()
    await expect(nav(page).getByRole('link')).toHaveText(['All', 'Wins', 'Questions', 'Talk'])
    expect((await saved(channels)).status()).toBe(200)
    await expect(nav(page).getByRole('link')).toHaveText(['All', 'Questions', 'Wins'])
  })

  await test.step('a name that is changed elsewhere meanwhile stays, too; one that is removed is told of', async () => {
    const { channels } = await (
      await page.request.get(`/rest/v1/courses/${course.slug}/posts`)
    ).json()
    const [questions, wins] = channels
    const saved = async (list: object[]) => {
      const address = `/rest/v1/courses/${course.id}/channels`
      const answer = await page.request.put(address, { data: { channels: list } })
      expect(answer.status()).toBe(200)
    }
    await page.getByRole('button', { name: 'Channels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Channels' })
    await dialog.getByRole('textbox', { name: 'Name of channel 1' }).fill('Asked')
    await saved([questions, { ...wins, name: 'Victories' }])
    await expect(dialog.getByRole('textbox', { name: 'Name of channel 2' })).toHaveValue(
      'Victories',
    )
    await dialog.getByRole('button', { name: 'Save Channels' }).click()
    await expect(dialog).toBeHidden()
    await expect(nav(page).getByRole('link')).toHaveText(['All', 'Asked', 'Victories'])
    await page.getByRole('button', { name: 'Channels' }).click()
    await saved([questions])
    await expect(dialog.getByText('Removed elsewhere since you opened this')).toBeVisible()
    await page.keyboard.press('Escape')
    await saved([questions, { name: wins.name }])
    await expect(nav(page).getByRole('link')).toHaveText(['All', 'Questions', 'Wins'])
  })

  await test.step('a poll: members vote on their own, and see the others’ votes then', async () => {
    await openComposer(page, 'Which knot next?')
    await composer(page).getByRole('combobox', { name: 'Channel' }).selectOption('Questions')
    await composer(page).getByRole('checkbox', { name: 'Add a poll' }).check()
    await composer(page).getByRole('textbox', { name: 'Answer 1' }).fill('Bowline')
    await composer(page).getByRole('textbox', { name: 'Answer 1' }).press('Enter')
    await page.keyboard.type('bowline')
    await composer(page).getByRole('button', { name: 'Post', exact: true }).click()
    await expect(composer(page).getByRole('alert')).toHaveText(
      'Two answers of a poll cannot be the same',
    )
    await composer(page).getByRole('textbox', { name: 'Answer 2' }).fill('Clove hitch')
    await expectNoAxeViolations(page)
    await send(page)
    const mine = postWith(page, 'Which knot next?')
    await expect(mine.getByText('0 votes')).toBeVisible()

    await other.page.goto(discussion)
    await hydrated(other.page)
    await nav(phone.page).getByRole('link', { name: 'Questions' }).click()
    await expect(phone.page).toHaveURL(/channel=/)
    const theirs = postWith(phone.page, 'Which knot next?')
    await expect(theirs.getByRole('radio')).toHaveCount(2)
    await expect(theirs.getByRole('progressbar')).toHaveCount(0)
    await expectNoSidewaysScrolling(phone.page)
    await expectNoAxeViolations(phone.page)
    // By keyboard alone.
    await theirs.getByRole('radio', { name: 'Bowline' }).focus()
    await phone.page.keyboard.press('ArrowDown')
    await phone.page.keyboard.press('Enter')
    await expect(theirs.getByText('Your vote')).toBeVisible()
    await expect(theirs.getByRole('progressbar', { name: /Clove hitch/ })).toHaveAttribute(
      'aria-valuetext',
      '100% (1)',
    )
    await expect(mine.getByText('1 vote', { exact: true })).toBeVisible()

    const third = postWith(other.page, 'Which knot next?')
    await third.getByRole('radio', { name: 'Bowline' }).check()
    await third.getByRole('button', { name: 'Vote' }).click()
    for (const seen of [mine, theirs, third]) {
      await expect(seen.getByRole('progressbar', { name: /Bowline/ })).toHaveAttribute(
        'aria-valuetext',
        '50% (1)',
      )
    }
    await theirs.getByRole('button', { name: 'Change vote' }).click()
    await expect(theirs.getByRole('radio', { name: 'Clove hitch' })).toBeFocused()
    await theirs.getByRole('radio', { name: 'Bowline' }).check()
    await theirs.getByRole('button', { name: 'Vote' }).click()
    await expect(mine.getByRole('progressbar', { name: /Bowline/ })).toHaveAttribute(
      'aria-valuetext',
      '100% (2)',
    )
    await third.getByRole('button', { name: 'Remove vote' }).click()
    await expect(third.getByRole('radio')).toHaveCount(2)
    await expect(mine.getByText('1 vote', { exact: true })).toBeVisible()
    await expectNoAxeViolations(phone.page)
  })

  const scheduled = page.getByRole('dialog', { name: 'Scheduled posts' })
  await test.step('posts for later: seen by nobody, changed, published now and by their time', async () => {
    for (const text of ['Later today', 'Much later']) {
      await openComposer(page, text)
      await composer(page).getByRole('checkbox', { name: 'Schedule' }).check()
      await expect(composer(page).getByText('Your time zone:')).toBeVisible()
      const time = composer(page).getByLabel('Publish at')
      await time.fill(await localInput(page, -2))
      await expect(composer(page).getByText('Please choose a time in the future')).toBeVisible()
      await time.fill(await localInput(page, 5))
      await send(page)
    }
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    const rows = scheduled.getByRole('list', { name: 'Scheduled posts' }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await expectNoAxeViolations(page)
    const form = page.getByRole('form', { name: 'Edit post' })
    const written = form.getByRole('textbox', { name: 'Edit your post' })
    await rows.filter({ hasText: 'Much later' }).getByRole('button', { name: 'Edit' }).click()
    await expect(written).toHaveValue('Much later')
    // Another one waits for the end of the first.
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    await rows.filter({ hasText: 'Later today' }).getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByText('You are editing a post. Save or cancel it first.')).toBeVisible()
    await expect(written).toHaveValue('Much later')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    await rows.filter({ hasText: 'Later today' }).getByRole('button', { name: 'Edit' }).click()
    await expect(written).toHaveValue('Later today')
    await expect(form.getByLabel('Publish at')).not.toHaveValue('')
    await written.fill('Later today, corrected')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    const corrected = rows.filter({ hasText: 'Later today, corrected' })
    await corrected.getByRole('button', { name: 'Publish now' }).click()
    await expect(rows).toHaveCount(1)
    // Who thinks better of a deletion is back in the list.
    await rows.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(scheduled).toBeVisible()

    // Its time comes while the list is open.
    await inDatabase(
      thunder,
      `update posts set scheduled_for = now() where content = 'Much later' and course_id = $1`,
      [course.id],
    )
    await inDatabase(
      thunder,
      `select graphile_worker.add_job('publishScheduledPost', json_build_object('postId', id))
         from posts where content = 'Much later' and course_id = $1`,
      [course.id],
    )
    await expect(scheduled.getByText('Nothing is scheduled')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(postWith(page, 'Later today, corrected')).toHaveCount(1)
    await other.page.getByRole('button', { name: /2 new posts/ }).click()
    await expect(postWith(other.page, 'Much later')).toHaveCount(1)
    await expect(postWith(other.page, 'Later today, corrected')).not.toContainText('(edited)')
  })

  await test.step('one whose time comes while it is put off is said to be out', async () => {
    const at = await page.evaluate(() => new Date(Date.now() + 3_600_000).toISOString())
    const made = await page.request.post('/rest/v1/posts', {
      data: { courseId: course.id, content: 'Almost out', scheduledFor: at },
    })
    const { id } = await made.json()
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    await page
      .getByRole('list', { name: 'Scheduled posts' })
      .getByRole('listitem')
      .filter({ hasText: 'Almost out' })
      .getByRole('button', { name: 'Edit' })
      .click()
    const form = page.getByRole('form', { name: 'Edit post' })
    await form.getByLabel('Publish at').fill(await localInput(page, 24))
    expect((await page.request.post(`/rest/v1/posts/${id}/publication`)).status()).toBe(200)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
    await expect(page.getByText('It was published before you saved')).toBeVisible()
    await expect(postWith(page, 'Almost out')).toHaveCount(1)
  })

  await test.step('one whose words are mended when its time has come keeps that, and is said to be out', async () => {
    const at = await page.evaluate(() => new Date(Date.now() + 3_600_000).toISOString())
    const made = await page.request.post('/rest/v1/posts', {
      data: { courseId: course.id, content: 'Allmost there', scheduledFor: at },
    })
    const { id } = await made.json()
    await inDatabase(
      thunder,
      `update posts set scheduled_for = now() - interval '1 minute' where id = $1`,
      [id],
    )
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    await page
      .getByRole('list', { name: 'Scheduled posts' })
      .getByRole('listitem')
      .filter({ hasText: 'Allmost there' })
      .getByRole('button', { name: 'Edit' })
      .click()
    const form = page.getByRole('form', { name: 'Edit post' })
    await form.getByRole('textbox', { name: 'Edit your post' }).fill('Almost there')
    await expect(form.getByText('Please choose a time in the future')).toHaveCount(0)
    expect((await page.request.post(`/rest/v1/posts/${id}/publication`)).status()).toBe(200)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
    await expect(page.getByText('It was published before you saved').last()).toBeVisible()
    await expect(postWith(page, 'Almost there')).toHaveCount(1)
  })

  await test.step('an announcement comes by email to who wants it', async () => {
    await inDatabase(
      thunder,
      `insert into notification_preferences (user_id, switch, in_app, email)
       select id, 'system_announcements', false, 'off' from users where email = $1`,
      [max.email],
    )
    await openComposer(page, 'We meet on Friday at the harbour.')
    await composer(page).getByRole('checkbox', { name: 'Announce to all members' }).check()
    await send(page)
    await expect(
      postWith(page, 'We meet on Friday').getByText('Announcement', { exact: true }),
    ).toBeVisible()
    const announcedTo = async () => {
      const mails: CaughtMail[] = await (await request.get('/outbox/mails.json')).json()
      return mails.filter(({ subject }) => subject.includes(creator.email)).map(({ to }) => to)
    }
    await expect.poll(announcedTo).toEqual([mia.email])
  })

  await test.step('without channels the posts stay', async () => {
    await page.setViewportSize({ width: 375, height: 812 })
    await openPlainComposer(phone.page, 'Written while the channels go')
    await composer(phone.page).getByRole('combobox', { name: 'Channel' }).selectOption('Questions')
    await page.getByRole('button', { name: 'Channels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Channels' })
    await expectNoAxeViolations(page)
    await expectNoSidewaysScrolling(page)
    await dialog.getByRole('button', { name: 'Remove “Questions”' }).click()
    await expect(dialog.getByText('Posts in “Questions” stay, without a channel.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Remove “Wins”' }).click()
    await dialog.getByRole('button', { name: 'Save Channels' }).click()
    await expect(dialog).toBeHidden()
    await expect(nav(page)).toBeHidden()
    // Who looks at a channel that goes, and writes in it, goes on where all posts are.
    await expect(nav(phone.page)).toBeHidden()
    await expect(phone.page).not.toHaveURL(/channel=/)
    await expect(postWith(phone.page, 'Which knot next?')).toHaveCount(1)
    await send(phone.page)
    await expect(postWith(phone.page, 'Written while the channels go')).toHaveCount(1)
    await expect(postWith(page, 'Which knot next?')).toHaveCount(1)
  })
  expect(complaints).toEqual([])
  await phone.context.close()
  await other.context.close()
})

test('what a new post has besides its words outlasts an edit and a search', async ({
  page,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Knots of ${creator.email}`)
  const pro = 'insert into plan_grants (user_id) select id from users where email = $1'
  await inDatabase(thunder, pro, [creator.email])
  for (const [content, scheduledFor] of [
    ['Welcome aboard', undefined],
    ['For next week', new Date(Date.now() + 7 * 24 * 3_600_000).toISOString()],
  ] as const) {
    const posted = await page.request.post('/rest/v1/posts', {
      data: { courseId: course.id, content, scheduledFor },
    })
    expect(posted.status(), await posted.text()).toBe(200)
  }
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  const form = composer(page)
  const edited = page.getByRole('form', { name: 'Edit post' })
  const opener = page.getByRole('button', { name: 'Write something...' })
  const time = await localInput(page, 48)
  await page.goto(discussion)
  await hydrated(page)

  await test.step('it is written: few words, a poll, a time and a picture', async () => {
    await openComposer(page, 'Which one?')
    await form.getByRole('checkbox', { name: 'Add a poll' }).check()
    await form.getByRole('textbox', { name: 'Answer 1' }).fill('Bowline')
    await form.getByRole('textbox', { name: 'Answer 2' }).fill('Clove hitch')
    await form.getByRole('checkbox', { name: 'Schedule' }).check()
    await form.getByLabel('Publish at').fill(time)
    await addPicture(page)
  })

  async function expectAll() {
    await expect(form.getByRole('textbox', { name: 'Write a post' })).toHaveValue('Which one?')
    await expect(form.getByRole('textbox', { name: 'Answer 2' })).toHaveValue('Clove hitch')
    await expect(form.getByLabel('Publish at')).toHaveValue(time)
    await expect(form.getByRole('button', { name: 'Remove: 1, knot.png' })).toBeVisible()
  }

  await test.step('another post is edited meanwhile, by keyboard', async () => {
    await postWith(page, 'Welcome aboard')
      .getByRole('button', { name: /^Options of the post/ })
      .focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: 'Edit Post', exact: true }).press('Enter')
    await expect(edited.getByRole('textbox', { name: 'Edit your post' })).toBeFocused()
    await expect(page.getByText('You are editing a post.')).toBeVisible()
    await expect(form).toBeHidden()
    await expectNoAxeViolations(page)
    await page.keyboard.press('Shift+Tab')
    await expect(form.locator(':focus')).toHaveCount(0)
    await edited.getByRole('textbox', { name: 'Edit your post' }).fill('Welcome on board')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(edited).toHaveCount(0)
    await expect(postWith(page, 'Welcome on board')).toBeFocused()
    await expectAll()
  })

  await test.step('so is one that waits, which stands nowhere in the list', async () => {
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scheduled posts' })
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(edited.getByRole('textbox', { name: 'Edit your post' })).toBeFocused()
    await expect(form).toBeHidden()
    await edited.getByRole('button', { name: 'Cancel' }).click()
    await expect(edited).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Discussion', exact: true })).toBeFocused()
    await expectAll()
  })

  await test.step('something is looked for', async () => {
    await page.getByRole('searchbox', { name: 'Search the discussion' }).fill('board')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Results for “board”' })).toBeVisible()
    await expect(form).toBeHidden()
    await expect(page.getByRole('list', { name: 'Posts', exact: true })).toBeHidden()
    await expectNoAxeViolations(page)
    await page.getByRole('link', { name: 'Back to the Discussion' }).click()
    await expect(postWith(page, 'Welcome on board')).toBeVisible()
    await expectAll()
  })

  await test.step('nor is it given up by one press', async () => {
    await form.getByRole('button', { name: 'Cancel' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Discard this post?' })
    await expect(asked).toContainText('What you wrote and added will be gone.')
    await asked.getByRole('button', { name: 'Keep Writing' }).click()
    await expectAll()
    await form.getByRole('checkbox', { name: 'Add a poll' }).uncheck()
    await form.getByRole('checkbox', { name: 'Schedule' }).uncheck()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await asked.getByRole('button', { name: 'Keep Writing' }).click()
    await form.getByRole('button', { name: 'Remove: 1, knot.png' }).click()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toHaveCount(0)
    await expect(opener).toBeFocused()
  })
  expect(complaints).toEqual([])
})

test('what a new post has besides its words outlasts leaving the tab, or that is asked about', async ({
  page,
  thunder,
}) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Splices of ${creator.email}`)
  const pro = 'insert into plan_grants (user_id) select id from users where email = $1'
  await inDatabase(thunder, pro, [creator.email])
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  const form = composer(page)
  const opener = page.getByRole('button', { name: 'Write something...' })
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Course' }).getByRole('link', { name })
  const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const time = await localInput(page, 48)
  await page.goto(discussion)
  await hydrated(page)

  await test.step('pictures are not kept, which is asked about; another order keeps them', async () => {
    await openComposer(page, 'Which splice?')
    await form.getByRole('checkbox', { name: 'Add a poll' }).check()
    await form.getByRole('textbox', { name: 'Answer 1' }).fill('Eye')
    await form.getByRole('textbox', { name: 'Answer 2' }).fill('Back')
    await form.getByRole('checkbox', { name: 'Schedule' }).check()
    await form.getByLabel('Publish at').fill(time)
    await form.getByRole('checkbox', { name: 'Announce to all members' }).check()
    await addPicture(page)
    await page.getByRole('searchbox', { name: 'Search the discussion' }).fill('board')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Back to the Discussion' }).click()
    await expect(form.getByRole('button', { name: 'Remove: 1, knot.png' })).toBeVisible()
    await tab('Members').click()
    await expect(asked).toContainText('images and videos that you added to your post are not kept')
    await expectNoAxeViolations(page)
    await asked.getByRole('button', { name: 'Stay on this page' }).click()
    await expect(form.getByRole('button', { name: 'Remove: 1, knot.png' })).toBeVisible()
    await tab('Members').click()
    await asked.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(form).toHaveCount(0)
  })

  await test.step('its poll, its time and its announcement are kept, and seen before it is sent', async () => {
    for (const comeBack of [() => tab('Discussion').click(), () => page.reload()]) {
      await comeBack()
      await hydrated(page)
      await expect(opener).toContainText('Draft')
      await opener.click()
      await expect(form.getByRole('textbox', { name: 'Write a post' })).toHaveValue('Which splice?')
      await expect(form.getByRole('textbox', { name: 'Answer 2' })).toHaveValue('Back')
      await expect(form.getByLabel('Publish at')).toHaveValue(time)
      await expect(form.getByRole('checkbox', { name: 'Announce' })).toBeChecked()
    }
    // Nothing that would be lost: nobody asks.
    await tab('Members').click()
    await expect(form).toHaveCount(0)
    await tab('Discussion').click()
  })

  await test.step('what is refused when the form has gone is told all the same', async () => {
    await opener.click()
    const arrival = Promise.withResolvers<void>()
    const posts = '**/rest/v1/posts'
    await page.route(posts, async (route) => {
      await arrival.promise
      await route.abort()
    })
    await form.getByRole('button', { name: 'Post', exact: true }).click()
    await tab('Members').click()
    await expect(asked).toContainText('Your post is still being sent.')
    await asked.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(form).toHaveCount(0)
    arrival.resolve()
    await expect(page.getByText('Failed to create post. Please try again.')).toBeVisible()
    await page.unroute(posts)
    await tab('Discussion').click()
    await opener.click()
    await expect(form.getByLabel('Publish at')).toHaveValue(time)
    await send(page)
    await expect(opener).not.toContainText('Draft')
    await page.getByRole('button', { name: 'Scheduled posts' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scheduled posts' })
    await expect(dialog.getByText('Which splice?')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('once the answer is there nothing is asked any more: the tab opens, and says what failed', async () => {
    const posts = /\/rest\/v1\/posts$/
    // The form says it, too, for as long as it is still there.
    const refused = page
      .getByRole('region', { name: /^Notifications/ })
      .getByText('Failed to create post. Please try again.')
    // That of before.
    await expect(refused).toHaveCount(0)
    await openPlainComposer(page, 'Short splice')
    const sent = await hold(page, posts)
    await form.getByRole('button', { name: 'Post', exact: true }).click()
    await tab('Members').click()
    await expect(asked).toContainText('Your post is still being sent.')
    sent.letGo()
    await expect(page).toHaveURL(/tab=members/)
    await expect(asked).toHaveCount(0)
    await page.unroute(posts)
    await tab('Discussion').click()
    await expect(postWith(page, 'Short splice')).toBeVisible()

    await openPlainComposer(page, 'Long splice')
    const arrival = Promise.withResolvers<void>()
    await page.route(posts, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await arrival.promise
      await route.abort()
    })
    await form.getByRole('button', { name: 'Post', exact: true }).click()
    await tab('Members').click()
    await expect(asked).toContainText('Your post is still being sent.')
    arrival.resolve()
    // Before the tab, which may take longer than it is shown.
    await expect(refused).toBeVisible()
    await expect(page).toHaveURL(/tab=members/)
    await page.unroute(posts)
    await tab('Discussion').click()
    await expect(opener).toContainText('Draft')
  })
})

test('files that are added to a post outlast another order and a search', async ({
  page,
  thunder,
}) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Whippings of ${creator.email}`)
  const posts = `
    insert into posts (course_id, user_id, content, created_at, updated_at)
    select $1::uuid, (select id from users where email = $2), 'No. ' || n, at, at
      from generate_series(1, 25) n, lateral (select now() - interval '1 day' + n * interval '1 minute') t(at)`
  await inDatabase(thunder, posts, [course.id, creator.email])
  await page.goto(`/course/${course.slug}/dashboard?tab=discussion`)
  await hydrated(page)
  const form = page.getByRole('form', { name: 'Edit post' })
  const field = form.getByRole('textbox', { name: 'Edit your post' })
  const picture = form.getByRole('button', { name: 'Remove: 1, knot.png' })
  const order = page.getByRole('combobox', { name: 'Sort by' })
  await postWith(page, 'No. 25')
    .getByRole('button', { name: /^Options of the post/ })
    .focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('button', { name: 'Edit Post', exact: true }).press('Enter')
  await expect(field).toBeFocused()
  await field.fill('No. 25, whipped')
  await addPicture(page, form)

  // Far down it stands above the list, and in its place again in the old order.
  await order.selectOption('oldest')
  await expect(postWith(page, 'No. 1').first()).toBeVisible()
  await expect(picture).toBeVisible()
  await expect(page.getByRole('list', { name: 'Posts' }).locator('form')).toHaveCount(0)
  await order.selectOption('newest')
  await expect(postWith(page, 'No. 24')).toBeVisible()
  await expect(picture).toBeVisible()
  await expect(page.getByRole('list', { name: 'Posts' }).locator('form')).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search the discussion' }).fill('whipped')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Results for “whipped”' })).toBeVisible()
  await expect(form).toBeHidden()
  await page.getByRole('link', { name: 'Back to the Discussion' }).click()
  await expect(picture).toBeVisible()

  await postWith(page, 'No. 24')
    .getByRole('button', { name: /^Options of the post/ })
    .click()
  await page.getByRole('button', { name: 'Edit Post', exact: true }).click()
  await expect(page.getByText('You are editing a post. Save or cancel it first.')).toBeVisible()
  await expect(picture).toBeInViewport()
  await expect(field).toHaveValue('No. 25, whipped')
  await field.focus()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(form).toHaveCount(0)
  await expect(postWith(page, 'No. 25, whipped')).toBeFocused()
  await expect(postWith(page, 'No. 25, whipped').getByRole('img').first()).toBeVisible()
})
