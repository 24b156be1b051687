// Pure decisions of the community: limits, and what people are told when they are met.

export const communityLimits = {
  post: 10_000,
  comment: 5_000,
  attachments: 10,
  pinned: 10,
  channels: 20,
  channelName: 40,
  pollOptions: 10,
  pollOption: 100,
  search: 200,
  /** People who are told of one post or comment because it names them. */
  mentions: 20,
  /** Posts of a course that wait to be published. */
  scheduled: 100,
  /** Days ahead for which a post can be scheduled, and for which a poll can be open. */
  scheduleDays: 365,
  announcementsPerDay: 3,
} as const

export const postsPerPage = 20
/** Threads, and the replies of one of them. */
export const commentsPerPage = 20
/** Replies that come with their thread. */
export const firstReplies = 3
export const foundPerPage = 20

/** 'helpful' is the same as 'newest' (spec 2, section 2). Pinned posts come first in all of them. */
export const sorts = ['newest', 'oldest', 'highest', 'lowest', 'helpful'] as const
export type Sort = (typeof sorts)[number]

/** Where a member reads one post, and one comment below it. */
export const postPath = (slug: string, postId: string, commentId?: string) =>
  `/course/${slug}/dashboard?tab=discussion&post=${postId}${commentId ? `&comment=${commentId}` : ''}`

/** The first words of a text, on one line: for notices and mails. */
export function beginningOf(text: string, length = 300): string {
  const oneLine = text.replace(/\s+/gu, ' ').trim()
  if (oneLine.length <= length) return oneLine
  const cut = oneLine
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > length / 2 ? cut.slice(0, space) : cut}…`
}

export const tooManyChannels = `A community can have at most ${communityLimits.channels} channels`

/** For a link that is to stand below a post as a video. In its text, any link may stand. */
export const otherHost = 'Please use a link from YouTube, Vimeo, Loom or Wistia.'
