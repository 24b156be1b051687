// Posts and comments of the demo's people, for pictures of a community.

type Writer = 'creator' | 'learner' | 'graduate' | 'newcomer'

/** One call of the API, as this person. */
type Call = (
  as: Writer,
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ id: string; course: { id: string } }>

/** What members of the flagship course wrote there; answers the post that has comments. */
export async function fillDiscussion(call: Call): Promise<string> {
  const { course } = await call('learner', 'GET', '/rest/v1/courses/thunder-bootcamp/posts')
  const write = async (as: Writer, content: string, link?: string): Promise<string> => {
    const attachments = link ? [{ url: link }] : []
    const post = { courseId: course.id, content, attachments }
    return (await call(as, 'POST', '/rest/v1/posts', post)).id
  }
  const comment = async (as: Writer, postId: string, content: string, parentId?: string) =>
    (await call(as, 'POST', '/rest/v1/comments', { postId, content, parentId })).id
  const like = (as: Writer, postId: string) =>
    call(as, 'PUT', `/rest/v1/posts/${postId}/like`, { liked: true })

  const first = await write(
    'creator',
    'My outline after the second lesson: https://example.com/outline\n\nWhat would you leave out?',
  )
  const question = await write(
    'learner',
    'When do you record your lessons? My street is quiet for about twenty minutes a day.',
  )
  await write(
    'graduate',
    'Published! Thank you all for reading the drafts. This talk helped me most with the first lesson:',
    'https://www.youtube.com/watch?v=aqz-KE-bpKQ',
  )
  const early = await comment('graduate', question, 'Before six, with the window shut.')
  await comment('learner', question, 'Then I have to go to bed earlier, too.', early)
  await comment('creator', question, 'Fifteen minutes after lunch, one lesson a day.')
  for (const as of ['learner', 'graduate', 'newcomer'] as const) await like(as, first)
  for (const as of ['creator', 'graduate'] as const) await like(as, question)
  return question
}
