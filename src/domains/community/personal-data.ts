import { and, eq, ne, type SQL, sql } from 'drizzle-orm'

import { type Consequence, type PersonalData, personalTable } from '../../server/personal-data.ts'
import { leaveCommunity } from './leave-community.ts'
import {
  commentLikes,
  commentMentions,
  comments,
  communityChannels,
  pollOptions,
  polls,
  pollVotes,
  postAttachments,
  postLikes,
  postMentions,
  posts,
} from './tables.ts'

const alwaysYou = { withheld: 'always you' } as const
const ourIndex = { withheld: 'the words of the text once more, for the search' } as const

const inOwnPost = (postId: SQL, userId: string) =>
  sql`${postId} in (select p.id from posts p where p.user_id = ${userId})`

/** The title of the course that column `course_id` of a table names. */
const titleOf = (courseId: SQL) => sql`(select c.title from courses c where c.id = ${courseId})`
const titleOfPost = (postId: SQL) =>
  sql`(select c.title from posts p join courses c on c.id = p.course_id where p.id = ${postId})`
const titleOfComment = (commentId: SQL) =>
  sql`(select c.title from comments m join courses c on c.id = m.course_id where m.id = ${commentId})`

export const communityData: PersonalData = {
  tables: {
    posts: personalTable(posts, {
      about: 'What you posted in the communities of courses.',
      rowsOf: ({ id }) => eq(posts.userId, id),
      columns: {
        id: 'exported',
        courseId: 'exported',
        userId: alwaysYou,
        channelId: 'exported',
        content: 'exported',
        isPinned: 'exported',
        pinnedAt: 'exported',
        status: 'exported',
        isAnnouncement: 'exported',
        scheduledFor: 'exported',
        likesCount: 'exported',
        commentsCount: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
        search: ourIndex,
      },
      also: { courseTitle: titleOf(sql`posts.course_id`) },
      onDeletion: 'deleted',
    }),
    postAttachments: personalTable(postAttachments, {
      about: 'The pictures, videos and links of your posts.',
      rowsOf: ({ id }) => inOwnPost(sql`post_attachments.post_id`, id),
      columns: {
        postId: 'exported',
        orderIndex: 'exported',
        kind: 'exported',
        mediaId: 'exported',
        url: 'exported',
      },
      onDeletion: 'deleted',
    }),
    polls: personalTable(polls, {
      about: 'The polls below your posts.',
      rowsOf: ({ id }) => inOwnPost(sql`polls.post_id`, id),
      columns: { postId: 'exported', closesAt: 'exported' },
      onDeletion: 'deleted',
    }),
    pollAnswers: personalTable(pollOptions, {
      about: 'The answers that your polls offer, and how many chose each.',
      rowsOf: ({ id }) => inOwnPost(sql`poll_options.post_id`, id),
      columns: {
        id: 'exported',
        postId: 'exported',
        text: 'exported',
        orderIndex: 'exported',
        votesCount: 'exported',
      },
      onDeletion: 'deleted',
    }),
    pollVotes: personalTable(pollVotes, {
      about: 'What you chose in polls.',
      rowsOf: ({ id }) => eq(pollVotes.userId, id),
      columns: {
        postId: 'exported',
        userId: alwaysYou,
        optionId: 'exported',
        createdAt: 'exported',
      },
      also: {
        courseTitle: titleOfPost(sql`poll_votes.post_id`),
        answer: sql`(select o.text from poll_options o where o.id = poll_votes.option_id)`,
      },
      onDeletion: 'deleted',
    }),
    comments: personalTable(comments, {
      about: 'What you commented and replied in the communities of courses.',
      rowsOf: ({ id }) => eq(comments.userId, id),
      columns: {
        id: 'exported',
        postId: 'exported',
        courseId: 'exported',
        userId: alwaysYou,
        parentId: 'exported',
        threadId: 'exported',
        content: 'exported',
        status: 'exported',
        likesCount: 'exported',
        repliesCount: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
        search: ourIndex,
      },
      also: { courseTitle: titleOf(sql`comments.course_id`) },
      // Without its text and its author, the place of what others answered stays.
      onDeletion: 'anonymised',
    }),
    postLikes: personalTable(postLikes, {
      about: 'The posts that you like.',
      rowsOf: ({ id }) => eq(postLikes.userId, id),
      columns: { postId: 'exported', userId: alwaysYou, createdAt: 'exported' },
      also: { courseTitle: titleOfPost(sql`post_likes.post_id`) },
      onDeletion: 'deleted',
    }),
    commentLikes: personalTable(commentLikes, {
      about: 'The comments that you like.',
      rowsOf: ({ id }) => eq(commentLikes.userId, id),
      columns: { commentId: 'exported', userId: alwaysYou, createdAt: 'exported' },
      also: { courseTitle: titleOfComment(sql`comment_likes.comment_id`) },
      onDeletion: 'deleted',
    }),
    mentionsInPosts: personalTable(postMentions, {
      about: 'The posts that mention you.',
      rowsOf: ({ id }) => eq(postMentions.userId, id),
      columns: { postId: 'exported', userId: alwaysYou, handle: 'exported' },
      also: { courseTitle: titleOfPost(sql`post_mentions.post_id`) },
      onDeletion: 'deleted',
    }),
    mentionsInComments: personalTable(commentMentions, {
      about: 'The comments that mention you.',
      rowsOf: ({ id }) => eq(commentMentions.userId, id),
      columns: { commentId: 'exported', userId: alwaysYou, handle: 'exported' },
      also: { courseTitle: titleOfComment(sql`comment_mentions.comment_id`) },
      onDeletion: 'deleted',
    }),
    channels: personalTable(communityChannels, {
      about: 'The channels in the communities of your courses.',
      rowsOf: ({ id }) =>
        sql`community_channels.course_id in (select c.id from courses c where c.instructor_id = ${id})`,
      columns: {
        id: 'exported',
        courseId: 'exported',
        name: 'exported',
        orderIndex: 'exported',
        createdAt: 'exported',
      },
      // They stay with a course that is kept for its members, and go with one that is not.
      onDeletion: 'anonymised',
    }),
  },

  async consequences(executor, { id }) {
    const written = await executor.$count(posts, eq(posts.userId, id))
    // Not the places of those that were deleted before.
    const own = and(eq(comments.userId, id), ne(comments.status, 'deleted'))
    const answered = await executor.$count(comments, own)
    const said: Consequence[] = []
    const say = (text: string) => said.push({ text, stays: false })
    if (written === 1) say('Your post is deleted, with its comments and likes.')
    if (written > 1) say(`Your ${written} posts are deleted, with their comments and likes.`)
    const place = 'Replies by others stay'
    if (answered === 1) say(`Your comment is deleted. ${place}.`)
    if (answered > 1) say(`Your ${answered} comments are deleted. ${place}.`)
    const { rows } = await executor.execute<{ chosen: boolean }>(sql`
      select exists (select 1 from post_likes where user_id = ${id})
          or exists (select 1 from comment_likes where user_id = ${id})
          or exists (select 1 from poll_votes where user_id = ${id}) as chosen`)
    if (rows[0]?.chosen) say('Your likes and your votes in polls are taken back.')
    return said
  },

  leave: (transaction, { person }) => leaveCommunity(transaction, person.id),
}
