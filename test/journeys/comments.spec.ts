// The comments of a post: an instructor and two members side by side, one of them on a phone.
import { whileFailing } from './failing-call.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  lettersAreThere,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const manyComments = `
  with threads as (
    insert into comments (post_id, course_id, user_id, content, created_at, updated_at, replies_count)
    select $1::uuid, p.course_id, p.user_id, 'Earlier ' || n, t, t, case when n = 30 then 30 else 0 end
      from posts p, generate_series(1, 45) n, lateral (select now() - (100 - n) * interval '1 day' t)
     where p.id = $1::uuid
    returning id, course_id, user_id, content),
  replies as (
    insert into comments (post_id, course_id, user_id, content, parent_id, thread_id, created_at, updated_at)
    select $1::uuid, course_id, user_id, 'Deep ' || n, id, id, t, t
      from threads, generate_series(1, 30) n, lateral (select now() - (100 - n) * interval '1 hour' t)
     where content = 'Earlier 30')
  update posts set comments_count = comments_count + 75 where id = $1::uuid`

test('members talk below a post', async ({ page, browser, baseURL, thunder }) => {
  const complaints = complaintsOf(page)
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Knots of ${creator.email}`, ['Bowline'])
  const ann = await somebodyElse(browser, { baseURL })
  const bob = await somebodyElse(browser, { baseURL, viewport: { width: 375, height: 700 } })
  await signedUp(ann.page.request, 'Ann Member')
  await signedUp(bob.page.request, 'Bob Member')
  for (const { request } of [ann.page, bob.page]) {
    // oxlint-disable-next-line no-await-in-loop
    const joined = await request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
    expect(joined.status()).toBe(200)
  }
  const posted = await page.request.post('/rest/v1/posts', {
    data: { courseId: course.id, content: 'Which knot do you tie first?' },
  })
  const post = await posted.json()
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  for (const one of [page, ann.page, bob.page]) {
    // oxlint-disable-next-line no-await-in-loop
    await one.goto(discussion)
    // oxlint-disable-next-line no-await-in-loop
    await hydrated(one)
  }
  const parts = (one: typeof page) => {
    const dialog = one.getByRole('dialog', { name: 'Comments' })
    return {
      dialog,
      list: dialog.getByRole('list', { name: 'Comments' }),
      field: dialog.getByRole('textbox', { name: 'Write a comment' }),
      comment: (text: string) =>
        dialog.getByRole('article').filter({ has: one.getByText(text, { exact: true }) }),
    }
  }
  const [hers, his, theirs] = [parts(ann.page), parts(bob.page), parts(page)]

  await test.step('the first comment, by keyboard', async () => {
    const asked: string[] = []
    ann.page.on('request', (request) => {
      if (request.method() === 'GET' && /\/posts\/[^/]+\/comments/.test(request.url())) {
        asked.push(request.url())
      }
    })
    const open = ann.page.getByRole('button', { name: 'Comment', exact: true })
    await expect(open).toBeVisible()
    expect(asked).toEqual([])
    await open.focus()
    await open.press('Enter')
    await expect(hers.dialog.getByRole('heading', { name: 'No comments yet' })).toBeVisible()
    expect(asked).toHaveLength(1)
    await expect(hers.dialog.getByText('Which knot do you tie first?')).toBeVisible()
    await expect(hers.field).toBeFocused()
    await expectNoAxeViolations(ann.page)
    await hers.field.press('Control+Enter')
    await expect(
      hers.dialog.getByRole('alert').filter({ hasText: 'Please write a comment' }),
    ).toBeVisible()
    await hers.field.fill('The bowline.')
    await ann.page.route('**/rest/v1/comments', (route) => route.abort())
    await hers.field.press('Control+Enter')
    await expect(hers.dialog.getByText('Failed to create comment. Please try again.')).toBeVisible()
    await ann.page.unroute('**/rest/v1/comments')
    // Nothing that was typed is lost, also not with the dialog.
    await ann.page.keyboard.press('Escape')
    await expect(hers.dialog).toBeHidden()
    await expect(open).toBeFocused()
    await open.press('Enter')
    await expect(hers.field).toHaveValue('The bowline.')
    await hers.field.press('Control+Enter')
    await expect(hers.comment('The bowline.')).toBeVisible()
    await expect(hers.field).toHaveValue('')
    await expect(page.getByRole('button', { name: '1 comment' })).toBeVisible()
  })

  await test.step('a reply arrives without anybody pressing anything', async () => {
    await bob.page.getByRole('button', { name: '1 comment' }).click()
    await expect(his.comment('The bowline.')).toBeVisible()
    await expect.poll(() => his.dialog.boundingBox()).toMatchObject({ width: 375, height: 700 })
    await his.comment('The bowline.').getByRole('button', { name: 'Reply' }).click()
    const field = his.dialog.getByRole('textbox', { name: 'Reply to Ann Member' })
    await expect(field).toBeFocused()
    await field.fill('Why that one?')
    await field.press('Escape')
    await expect(field).toBeHidden()
    await expect(his.dialog).toBeVisible()
    await his.comment('The bowline.').getByRole('button', { name: 'Reply' }).click()
    await expect(field).toHaveValue('Why that one?')
    const send = his.dialog.getByRole('button', { name: 'Reply', exact: true }).last()
    await whileFailing(bob.page, ['POST', '**/rest/v1/comments'], async () => {
      await send.click()
      await expect(his.dialog.getByText('Failed to create reply. Please try again.')).toBeVisible()
    })
    await expect(field).toHaveValue('Why that one?')
    await send.click()
    await expect(field).toBeHidden()
    await expect(his.comment('Why that one?')).toBeFocused()
    const replies = hers.dialog.getByRole('list', { name: 'Replies to Ann Member' })
    await expect(replies.getByRole('article', { name: 'Reply by Bob Member' })).toBeVisible()
    await expectNoAxeViolations(bob.page)
    await expectNoSidewaysScrolling(bob.page)
  })

  await test.step('a like counts once, and is taken back when it fails', async () => {
    const like = (one: typeof hers) =>
      one.comment('Why that one?').getByRole('button', { name: /^Like this reply/ })
    await ann.page.route('**/rest/v1/comments/*/like', (route) => route.abort())
    await like(hers).click()
    await expect(
      hers.dialog.getByRole('alert').filter({ hasText: 'could not be saved' }),
    ).toBeVisible()
    await expect(like(hers)).toHaveAttribute('aria-pressed', 'false')
    await ann.page.unroute('**/rest/v1/comments/*/like')
    await like(hers).click()
    await expect(like(hers)).toHaveAttribute('aria-pressed', 'true')
    await expect(like(his)).toHaveAccessibleName('Like this reply, 1 like')
    await expect(like(his)).toHaveAttribute('aria-pressed', 'false')
  })

  const menuOf = async (one: typeof page, name: string, item: string) => {
    await one.getByRole('button', { name }).press('ArrowDown')
    await one.getByRole('button', { name: item }).press('Enter')
  }

  await test.step('an edit shows in place', async () => {
    await menuOf(bob.page, 'Options of the reply by Bob Member', 'Edit Comment')
    const field = his.dialog.getByRole('textbox', { name: 'Edit your comment' })
    await expect(field).toBeFocused()
    await field.fill('Why that one, @nobody? See https://example.com/bowline')
    await his.dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await expect(his.comment('(edited)')).toBeFocused()
    await expect(hers.comment('(edited)').getByRole('link', { name: /example\.com/ })).toBeVisible()
  })

  await test.step('what is on its way closes nothing that was begun meanwhile', async () => {
    const gate = Promise.withResolvers<void>()
    await bob.page.route('**/rest/v1/comments', async (route) => {
      await gate.promise
      await route.fallback()
    })
    await his.field.fill('On its way')
    await his.field.press('Control+Enter')
    await expect(his.field).toHaveJSProperty('readOnly', true)
    await expect(his.field).toBeFocused()
    await expect(his.dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
    await bob.page.keyboard.press('Escape')
    await expect(his.dialog).toBeVisible()
    await his.comment('The bowline.').getByRole('button', { name: 'Reply' }).click()
    const reply = his.dialog.getByRole('textbox', { name: 'Reply to Ann Member' })
    await reply.fill('Begun meanwhile')
    gate.resolve()
    await expect(his.comment('On its way')).toBeVisible()
    await expect(his.field).toHaveValue('')
    await expect(his.field).toHaveJSProperty('readOnly', false)
    await expect(reply).toHaveValue('Begun meanwhile')
    await expect(reply).toBeFocused()
    await bob.page.unroute('**/rest/v1/comments')

    // A reply that fails when another one has taken its place is said to have failed, and kept.
    const refusal = Promise.withResolvers<void>()
    await bob.page.route('**/rest/v1/comments', async (route) => {
      await refusal.promise
      await route.abort()
    })
    await reply.press('Control+Enter')
    await expect(reply).toHaveJSProperty('readOnly', true)
    await his.comment('On its way').getByRole('button', { name: 'Reply' }).click()
    await expect(reply).toHaveCount(0)
    refusal.resolve()
    await expect(his.dialog.getByText('Your reply was not sent')).toBeVisible()
    await expectNoSidewaysScrolling(bob.page)
    await bob.page.unroute('**/rest/v1/comments')
    await his.comment('The bowline.').getByRole('button', { name: 'Reply' }).click()
    await expect(reply).toHaveValue('Begun meanwhile')
    await his.dialog.getByRole('button', { name: 'Cancel' }).click()
    const id = await his.comment('On its way').getAttribute('id')
    await bob.page.request.delete(`/rest/v1/comments/${id}`)
    await expect(his.comment('On its way')).toHaveCount(0)
  })

  await test.step('what is answered leaves its place, and the rest goes with the last reply', async () => {
    await menuOf(ann.page, 'Options of the comment by Ann Member', 'Delete Comment')
    const asked = ann.page.getByRole('alertdialog')
    await expect(asked.getByText('Are you sure you want to delete this comment?')).toBeVisible()
    await expectNoAxeViolations(ann.page)
    await ann.page.route('**/rest/v1/comments/*', (route) => route.abort())
    await asked.getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(asked.getByRole('alert')).toHaveText('Failed to delete comment. Please try again.')
    await ann.page.unroute('**/rest/v1/comments/*')
    await asked.getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(asked).toBeHidden()
    await expect(hers.dialog.getByText('This comment was deleted.')).toBeVisible()
    await expect(hers.comment('(edited)')).toBeFocused()
    await expect(his.dialog.getByText('This comment was deleted.')).toBeVisible()
    // By the instructor.
    await page.getByRole('button', { name: '1 comment' }).click()
    await menuOf(page, 'Options of the reply by Bob Member', 'Delete Comment')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    for (const { dialog } of [theirs, hers, his]) {
      // oxlint-disable-next-line no-await-in-loop
      await expect(dialog.getByRole('heading', { name: 'No comments yet' })).toBeVisible()
    }
  })

  await inDatabase(thunder, manyComments, [post.id])
  await test.step('a link leads to a reply far down', async () => {
    const found = await ann.page.request.get(
      `/rest/v1/courses/${course.slug}/posts/search?search=${encodeURIComponent('Deep 20')}`,
    )
    const { commentId } = (await found.json()).found[0]
    await ann.page.goto(`${discussion}&post=${post.id}&comment=${commentId}`)
    await hydrated(ann.page)
    await expect(hers.comment('Deep 20')).toBeFocused()
    await expect(hers.comment('Deep 20')).toBeInViewport()
    await expect(hers.comment('Earlier 20')).toHaveCount(1)
    await expect(hers.comment('Earlier 21')).toHaveCount(0)
    await expectNoAxeViolations(ann.page)
    await hers.dialog.getByRole('button', { name: 'Show 26 more replies' }).click()
    await expect(hers.comment('Deep 19')).toHaveCount(1)
    const deep = hers.dialog.getByText(/^Deep \d+$/)
    await expect(deep).toHaveCount(23)
    await hers.dialog.getByRole('button', { name: 'Show 7 more replies' }).click()
    await expect(deep).toHaveText(Array.from({ length: 30 }, (_, index) => `Deep ${index + 1}`))
    const more = hers.dialog.getByRole('button', { name: 'Show more comments' })
    await more.click()
    await expect(hers.comment('Earlier 40')).toHaveCount(1)
    await more.click()
    await expect(more).toHaveCount(0)
    await expect(hers.dialog.getByText(/^Earlier \d+$/)).toHaveText(
      Array.from({ length: 45 }, (_, index) => `Earlier ${index + 1}`),
    )
  })

  await test.step('a link to what was deleted says so', async () => {
    const written = await ann.page.request.post('/rest/v1/comments', {
      data: { postId: post.id, content: 'Soon gone' },
    })
    const { id: goneId } = await written.json()
    await ann.page.request.delete(`/rest/v1/comments/${goneId}`)
    const other = await ann.page.context().newPage()
    await other.goto(`${discussion}&post=${post.id}&comment=${goneId}`)
    const said = other.getByText('This comment was deleted, or you don’t have access to it.')
    await expect(said).toBeVisible()
    await expect(other.getByText('Earlier 1', { exact: true })).toBeVisible()
    await expectNoAxeViolations(other)
    await other.close()
  })

  await test.step('new comments wait below what is read', async () => {
    await hers.comment('Deep 20').scrollIntoViewIfNeeded()
    await lettersAreThere(ann.page)
    const place = () =>
      hers.comment('Deep 20').evaluate((element) => element.getBoundingClientRect().top)
    const before = await place()
    const sent = await bob.page.request.post('/rest/v1/comments', {
      data: { postId: post.id, content: 'The newest of all' },
    })
    expect(sent.status()).toBe(200)
    const button = hers.dialog.getByRole('button', { name: '1 new comment' })
    await expect(button).toBeVisible()
    expect(await place()).toBe(before)
    await button.click()
    await expect(hers.comment('The newest of all')).toBeInViewport()
    await expect(button).toBeHidden()
  })
  expect(complaints).toEqual([])
  await ann.context.close()
  await bob.context.close()
})

test('a like that comes while an older answer is on its way counts', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Splices of ${creator.email}`)
  const written = async (path: string, data: object) => {
    const answer = await page.request.post(`/rest/v1/${path}`, { data })
    expect(answer.status()).toBe(200)
    return ((await answer.json()) as { id: string }).id
  }
  const postId = await written('posts', { courseId: course.id, content: 'Which splice holds?' })
  const comment = await written('comments', { postId, content: 'The long one.' })
  const ann = await somebodyElse(browser, { baseURL })
  await signedUp(ann.page.request, 'Ann Member')
  const joined = await ann.page.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)
  await page.goto(`/course/${course.slug}/dashboard?tab=discussion`)
  await hydrated(page)
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  const like = dialog.getByRole('button', { name: /^Like this comment/ })
  await page.getByRole('button', { name: '1 comment' }).click()
  await expect(like).toHaveAccessibleName('Like this comment, 0 likes')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // What was loaded is shown while it is asked for again: the answer is made before the like, and comes after it.
  await written('comments', { postId, content: 'The short one.' })
  const made = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  await page.route(/\/posts\/[^/]+\/comments/, async (route) => {
    const response = await route.fetch()
    made.resolve()
    await gate.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: '2 comments' }).click()
  await made.promise
  const liked = await ann.page.request.put(`/rest/v1/comments/${comment}/like`, {
    data: { liked: true },
  })
  expect(liked.status()).toBe(200)
  await expect(like).toHaveAccessibleName('Like this comment, 1 like')
  gate.resolve()
  await expect(dialog.getByText('The short one.')).toBeVisible()
  await expect(like.first()).toHaveAccessibleName('Like this comment, 1 like')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // So it is with the page, which is loaded again when its channels change.
  const pro = 'insert into plan_grants (user_id) select id from users where email = $1'
  await inDatabase(thunder, pro, [creator.email])
  const [loaded, door] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/dashboard\.data/, async (route) => {
    const response = await route.fetch()
    loaded.resolve()
    await door.promise
    await route.fulfill({ response })
  })
  const named = await page.request.put(`/rest/v1/courses/${course.id}/channels`, {
    data: { channels: [{ name: 'Knots' }] },
  })
  expect(named.status()).toBe(200)
  await loaded.promise
  const postLiked = await ann.page.request.put(`/rest/v1/posts/${postId}/like`, {
    data: { liked: true },
  })
  expect(postLiked.status()).toBe(200)
  const likePost = page.getByRole('button', { name: /^Like this post/ })
  await expect(likePost).toHaveAccessibleName('Like this post, 1 like')
  door.resolve()
  await expect(page.getByRole('link', { name: 'Knots' })).toBeVisible()
  await expect(likePost).toHaveAccessibleName('Like this post, 1 like')
  await ann.context.close()
})

test('a comment and a reply whose answers are lost are there once', async ({ page }) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Hitches of ${creator.email}`)
  const posted = await page.request.post('/rest/v1/posts', {
    data: { courseId: course.id, content: 'Which hitch holds?' },
  })
  const post = await posted.json()
  await page.goto(`/course/${course.slug}/dashboard?tab=discussion`)
  await hydrated(page)
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  const calls = '**/rest/v1/comments'

  async function sentTwice(label: string, words: string, failed: string) {
    await field(label).fill(words)
    await page.route(calls, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await field(label).press('Control+Enter')
    await expect(dialog.getByText(failed)).toBeVisible()
    await page.unroute(calls)
    await field(label).press('Control+Enter')
    await expect(dialog.getByText(failed)).toHaveCount(0)
    await expect(dialog.getByRole('article').getByText(words, { exact: true })).toHaveCount(1)
  }

  await sentTwice('Write a comment', 'The clove.', 'Failed to create comment. Please try again.')
  await expect(field('Write a comment')).toHaveValue('')
  const thread = dialog.getByRole('article', { name: 'Comment by Ina Structor' })
  await thread.getByRole('button', { name: 'Reply' }).click()
  await sentTwice(
    'Reply to Ina Structor',
    'On a pole.',
    'Failed to create reply. Please try again.',
  )
  await expect(field('Reply to Ina Structor')).toHaveCount(0)
  const { threads } = await (await page.request.get(`/rest/v1/posts/${post.id}/comments`)).json()
  expect(threads).toMatchObject([{ content: 'The clove.', replies: [{ content: 'On a pole.' }] }])
  expect(threads[0].replies).toHaveLength(1)
})

test('what is being written for a comment outlasts it', async ({ page, browser, baseURL }) => {
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Bends of ${creator.email}`)
  const ann = await somebodyElse(browser, { baseURL })
  await signedUp(ann.page.request, 'Ann Member')
  const written = async (by: typeof page, path: string, data: object) => {
    const answer = await by.request.post(`/rest/v1/${path}`, { data })
    expect(answer.status(), await answer.text()).toBe(200)
    return ((await answer.json()) as { id: string }).id
  }
  await written(ann.page, 'enrollments', { courseId: course.id })
  const postId = await written(page, 'posts', { courseId: course.id, content: 'Which bend?' })
  const asked = await written(ann.page, 'comments', { postId, content: 'The sheet bend?' })
  const own = await written(page, 'comments', { postId, content: 'None.' })
  await page.goto(`/course/${course.slug}/dashboard?tab=discussion`)
  await hydrated(page)
  await page.getByRole('button', { name: '2 comments' }).click()
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  const comment = (text: string) =>
    dialog.getByRole('article').filter({ has: page.getByText(text, { exact: true }) })
  const removed = (by: typeof page, id: string) => by.request.delete(`/rest/v1/comments/${id}`)
  const isSaid = dialog.getByText('The comment was removed')

  await test.step('a reply becomes a comment to be', async () => {
    await comment('The sheet bend?').getByRole('button', { name: 'Reply' }).click()
    await field('Reply to Ann Member').fill('Yes, for two ropes')
    // Who goes back goes on there.
    await page.keyboard.press('Home')
    await page.keyboard.type('Oh ')
    await expect(field('Reply to Ann Member')).toHaveValue('Oh Yes, for two ropes')
    await removed(ann.page, asked)
    await expect(comment('The sheet bend?')).toHaveCount(0)
    await expect(field('Write a comment')).toHaveValue('Oh Yes, for two ropes')
    await expect(field('Write a comment')).toBeFocused()
    await expect(isSaid).toBeVisible()
    await expectNoAxeViolations(page)
  })

  await test.step('so does an edit, behind what stands there; one without other words just ends', async () => {
    await dialog.getByRole('button', { name: 'Options of the comment by Ina Structor' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: 'Edit Comment' }).press('Enter')
    await field('Edit your comment').fill('None holds.')
    await removed(page, own)
    await expect(field('Edit your comment')).toHaveCount(0)
    const words = 'Oh Yes, for two ropes\n\nNone holds.'
    await expect(field('Write a comment')).toHaveValue(words)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(field('Write a comment')).toHaveValue(words)
    await expect(isSaid).toHaveCount(0)
    await field('Write a comment').press('Control+Enter')
    await expect(field('Write a comment')).toHaveValue('')
    await expect(dialog.getByRole('article')).toHaveCount(1)
    await dialog.getByRole('button', { name: 'Reply', exact: true }).click()
    const { threads } = await (await page.request.get(`/rest/v1/posts/${postId}/comments`)).json()
    await removed(page, threads[0].id)
    await expect(dialog.getByRole('article')).toHaveCount(0)
    await expect(field('Write a comment')).toHaveValue('')
    await expect(isSaid).toHaveCount(0)
  })

  await test.step('who writes a comment meanwhile goes on where the caret is', async () => {
    const id = await written(ann.page, 'comments', { postId, content: 'The carrick bend?' })
    await comment('The carrick bend?').getByRole('button', { name: 'Reply' }).click()
    await field('Reply to Ann Member').fill('Too big')
    await field('Write a comment').click()
    await page.keyboard.type('Hello wor')
    await removed(ann.page, id)
    await expect(field('Write a comment')).toHaveValue('Hello wor\n\nToo big')
    await page.keyboard.type('ld')
    await expect(field('Write a comment')).toHaveValue('Hello world\n\nToo big')
    await expect(isSaid).toBeVisible()
  })

  await test.step('words in a form that is closed come, too, also when all of it is', async () => {
    const before = 'Hello world\n\nToo big'
    const forgotten = await written(ann.page, 'comments', { postId, content: 'The zeppelin?' })
    const last = await written(ann.page, 'comments', { postId, content: 'The hunter?' })
    await comment('The zeppelin?').getByRole('button', { name: 'Reply' }).click()
    await field('Reply to Ann Member').fill('Easy to untie')
    await comment('The hunter?').getByRole('button', { name: 'Reply' }).click()
    await expect(field('Reply to Ann Member')).toHaveValue('')
    await removed(ann.page, forgotten)
    await expect(field('Write a comment')).toHaveValue(`${before}\n\nEasy to untie`)
    await expect(field('Reply to Ann Member')).toBeFocused()

    await field('Reply to Ann Member').fill('It jams')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await removed(ann.page, last)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(field('Write a comment')).toHaveValue(`${before}\n\nEasy to untie\n\nIt jams`)
    await expect(isSaid).toBeVisible()
  })
  await ann.context.close()
})
