// What the calls of the community take, to the edge, and what they make of what is left out.
import { expect, test, describe } from 'vitest'
import type * as z from 'zod'
import { feedCursor, readFeedCursor } from './feed-cursor.ts'
import { beginningOf, communityLimits, postPath } from './rules.ts'
import {
  channelsSave,
  byComment,
  byPost,
  commentDraft,
  commentEdit,
  commentLike,
  commentsQuery,
  communitySearch,
  feedQuery,
  mentionQuery,
  postDraft,
  postEdit,
  postLike,
  postPin,
  repliesQuery,
  vote,
} from './schema.ts'

const id = '0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f'
const long = (length: number) => 'x'.repeat(length)

/** What is made of it, or what is said first. */
const taken = (schema: z.ZodType, value: unknown) => {
  const { success, data, error } = schema.safeParse(value)
  return success ? data : error!.issues[0]!.message
}

describe('a post', () => {
  const draft = { courseId: id, content: 'Hello' }
  const post = (more: object) => taken(postDraft, { ...draft, ...more })
  const whole = {
    ...draft,
    attachments: [],
    channelId: null,
    poll: null,
    scheduledFor: null,
    isAnnouncement: false,
  }

  test('is its words; the rest is nothing', () => {
    expect(post({})).toEqual(whole)
    expect(post({ content: ' Two\r\nlines \u0000' })).toEqual({ ...whole, content: 'Two\nlines' })
    for (const blank of [' \n ', '\u200b', ' \u2060\n\ufe0f ']) {
      expect(post({ content: blank })).toBe('Please write something')
    }
    expect(post({ content: long(10_000) })).toEqual({ ...whole, content: long(10_000) })
    expect(post({ content: long(10_001) })).toBe('Post can have at most 10,000 characters')
    expect(post({ courseId: 'x' })).toBe('The course is not a valid id')
    expect(post({ channelId: 'x' })).toBe('The channel is not a valid id')
    expect(post({ channelId: id })).toEqual({ ...whole, channelId: id })
    expect(post({ isAnnouncement: 'yes' })).toBe('isAnnouncement must be true or false')
  })

  test('has up to ten files and addresses', () => {
    const files = (count: number) => Array.from({ length: count }, () => ({ mediaId: id }))
    expect(post({ attachments: files(10) })).toEqual({ ...whole, attachments: files(10) })
    expect(post({ attachments: files(11) })).toBe('A post can have at most 10 attachments')
    const url = `https://vimeo.com/${long(2000 - 18)}`
    expect(url).toHaveLength(2000)
    expect(post({ attachments: [{ url }] })).toEqual({ ...whole, attachments: [{ url }] })
    expect(post({ attachments: [{ url: `${url}x` }] })).toBe('This address is too long')
    for (const odd of [{}, { mediaId: id, url }, { mediaId: 7 }, 'x']) {
      expect(post({ attachments: [odd] })).toBe('An attachment is a file or an address')
    }
    expect(post({ attachments: [{ mediaId: 'x' }] })).toBe('The file is not a valid id')
  })

  test('asks with two to ten answers', () => {
    const poll = (options: string[], more: object = {}) => post({ poll: { options, ...more } })
    const answers = (count: number) => Array.from({ length: count }, (_, at) => `Answer ${at}`)
    const asked = (options: string[], closesAt: Date | null = null) => ({
      ...whole,
      poll: { options, closesAt },
    })
    expect(poll(answers(2))).toEqual(asked(answers(2)))
    expect(poll(answers(10))).toEqual(asked(answers(10)))
    expect(poll(answers(1))).toBe('A poll needs at least 2 answers')
    expect(poll(answers(11))).toBe('A poll can have at most 10 answers')
    expect(poll([long(100), ' a  b '])).toEqual(asked([long(100), 'a b']))
    expect(poll([long(101), 'b'])).toBe('An answer can have at most 100 characters')
    expect(poll(['', 'b'])).toBe('Please write every answer of the poll')
    const closesAt = '2026-11-21T10:00:00.000Z'
    expect(poll(answers(2), { closesAt })).toEqual(asked(answers(2), new Date(closesAt)))
    expect(poll(answers(2), { closesAt: 'soon' })).toBe('Please choose when the poll closes')
  })

  test('may wait', () => {
    const scheduledFor = '2026-11-21T10:00:00.000Z'
    expect(post({ scheduledFor })).toEqual({ ...whole, scheduledFor: new Date(scheduledFor) })
    expect(post({ scheduledFor: 'soon' })).toBe('Please choose when the post is published')
  })

  test('that is changed is there whole, and keeps its time when none is said', () => {
    const edit = { postId: id, content: 'Hello' }
    expect(taken(postEdit, edit)).toEqual({ ...edit, attachments: [], channelId: null })
    for (const blank of ['', '\u200b']) {
      expect(taken(postEdit, { ...edit, content: blank })).toBe('Please write something')
    }
    expect(taken(postEdit, { ...edit, postId: 'x' })).toBe('The post is not a valid id')
    const scheduledFor = '2026-11-21T10:00:00.000Z'
    expect(taken(postEdit, { ...edit, scheduledFor })).toMatchObject({
      scheduledFor: new Date(scheduledFor),
    })
    expect(taken(postEdit, { ...edit, scheduledFor: 'soon' })).toBe(
      'Please choose when the post is published',
    )
  })

  test('is named by its id, pinned or not, and liked or not', () => {
    expect(taken(byPost, { postId: id })).toEqual({ postId: id })
    expect(taken(byComment, { commentId: id })).toEqual({ commentId: id })
    expect(taken(postPin, { postId: id, isPinned: false })).toEqual({ postId: id, isPinned: false })
    expect(taken(postPin, { postId: id })).toBe('Say whether it is pinned')
    expect(taken(postLike, { postId: id, liked: true })).toEqual({ postId: id, liked: true })
    expect(taken(postLike, { postId: id })).toBe('Say whether you like it')
    expect(taken(commentLike, { commentId: id, liked: true })).toEqual({
      commentId: id,
      liked: true,
    })
    expect(taken(commentLike, { commentId: id })).toBe('Say whether you like it')
  })
})

test('a comment has up to 5,000 characters, and answers something or nothing', () => {
  const draft = { postId: id, content: 'Yes' }
  expect(taken(commentDraft, draft)).toEqual({ ...draft, parentId: null })
  expect(taken(commentDraft, { ...draft, parentId: id })).toEqual({ ...draft, parentId: id })
  expect(taken(commentDraft, { ...draft, parentId: 'x' })).toBe('The comment is not a valid id')
  expect(taken(commentDraft, { ...draft, content: long(5000) })).toMatchObject({ postId: id })
  expect(taken(commentDraft, { ...draft, content: long(5001) })).toBe(
    'Comment can have at most 5,000 characters',
  )
  for (const blank of ['', ' ', '\u200b', '\u2060 \u00ad']) {
    expect(taken(commentDraft, { ...draft, content: blank })).toBe('Please write a comment')
    expect(taken(commentEdit, { commentId: id, content: blank })).toBe('Please write a comment')
  }
})

test('a place in a list is one that a list gave', () => {
  const place = `1700000000000000_${id}`
  for (const [schema, base] of [
    [commentsQuery, { postId: id }],
    [repliesQuery, { commentId: id }],
  ] as const) {
    expect(taken(schema, { ...base, cursor: place })).toEqual({ ...base, cursor: place })
    expect(taken(schema, base)).toEqual(base)
    for (const odd of [
      `x${place}`,
      `${place}x`,
      `_${id}`,
      `${'1'.repeat(18)}_${id}`,
      place.replace('_', '.'),
      place.replace('7e2d', 'zzzz'),
      '',
      7,
    ]) {
      expect(taken(schema, { ...base, cursor: odd }), String(odd)).toBe(
        'This is not a place in the list',
      )
    }
  }
  const far = { likes: 123_456_789, at: '1700000000000000', id }
  expect(readFeedCursor(feedCursor(far))).toEqual(far)
  expect(readFeedCursor(`3.1700000000000000.${id}`)).toEqual({
    likes: 3,
    at: '1700000000000000',
    id,
  })
  for (const odd of [
    '',
    `3.1700000000000000.${id}x`,
    `x3.1700000000000000.${id}`,
    `1234567890.1.${id}`,
    `3.${'1'.repeat(17)}.${id}`,
    `3.1700000000000000`,
    `.1.${id}`,
    `1..${id}`,
  ]) {
    expect(readFeedCursor(odd), odd).toBeNull()
  }
})

test('a feed is of a course, newest first; a search wants words', () => {
  const slug = 'knots'
  expect(taken(feedQuery, { slug })).toEqual({ slug, sort: 'newest' })
  for (const sort of ['newest', 'oldest', 'highest', 'lowest', 'helpful']) {
    expect(taken(feedQuery, { slug, sort })).toEqual({ slug, sort })
  }
  expect(taken(feedQuery, { slug, sort: 'best' })).toBe(
    'Please sort by newest, oldest, highest, lowest, helpful',
  )
  expect(taken(feedQuery, { slug, cursor: long(200) })).toMatchObject({ cursor: long(200) })
  expect(taken(feedQuery, { slug, cursor: long(201) })).toBe('This is not a place in the list')
  expect(taken(mentionQuery, { slug })).toEqual({ slug, search: '' })
  expect(taken(mentionQuery, { slug, search: long(201) })).toBe(
    'Search text can have at most 200 characters',
  )
  expect(taken(communitySearch, { slug, search: ' ' })).toBe(
    'Please write what you are looking for',
  )
  expect(taken(communitySearch, { slug, search: long(200) })).toEqual({ slug, search: long(200) })
  expect(taken(communitySearch, { slug, search: long(201) })).toBe(
    'Search text can have at most 200 characters',
  )
})

test('a community has up to 20 channels, each with a name', () => {
  const save = (channels: unknown[]) => taken(channelsSave, { courseId: id, channels })
  const named = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `C${at}` }))
  expect(save(named(20))).toEqual({ courseId: id, channels: named(20) })
  expect(save(named(21))).toBe('A community can have at most 20 channels')
  expect(save([{ id, name: long(40) }])).toEqual({
    courseId: id,
    channels: [{ id, name: long(40) }],
  })
  expect(save([{ name: long(41) }])).toBe('A channel can have at most 40 characters')
  expect(save([{ name: ' ' }])).toBe('Please name every channel')
  expect(save([{ id: 'x', name: 'C' }])).toBe('The channel is not a valid id')
  expect(taken(vote, { postId: id, optionId: null })).toEqual({ postId: id, optionId: null })
  expect(taken(vote, { postId: id })).toEqual(expect.any(String))
})

test('the limits are those that people are told', () => {
  expect(communityLimits).toEqual({
    post: 10_000,
    comment: 5_000,
    attachments: 10,
    pinned: 10,
    channels: 20,
    channelName: 40,
    pollOptions: 10,
    pollOption: 100,
    search: 200,
    mentions: 20,
    scheduled: 100,
    scheduleDays: 365,
    announcementsPerDay: 3,
  })
})

test('a post and a comment have an address in their course', () => {
  expect(postPath('knots', 'p')).toBe('/course/knots/dashboard?tab=discussion&post=p')
  expect(postPath('knots', 'p', 'c')).toBe(
    '/course/knots/dashboard?tab=discussion&post=p&comment=c',
  )
})

test('the beginning of a text is whole words, and no half of a sign', () => {
  expect(beginningOf(' One\n two ', 7)).toBe('One two')
  expect(beginningOf('One two', 5)).toBe('One…')
  // A word is cut where little would be left.
  expect(beginningOf('One two', 6)).toBe('One tw…')
  expect(beginningOf('One twofold', 8)).toBe('One twof…')
  expect(beginningOf('abcdef ghi', 9)).toBe('abcdef…')
  expect(beginningOf(`abc${'\u{1f600}'}`, 4)).toBe('abc…')
  expect(beginningOf('a\uFFFDbcdef', 4)).toBe('a\uFFFDbc…')
  expect(beginningOf(`${long(299)} x`)).toBe(`${long(299)}…`)
  expect(beginningOf(long(300))).toBe(long(300))
})
