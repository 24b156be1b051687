// Pure decisions about deleting an account, for the page and for the server.

/** What has to be typed before an account is deleted. */
export const confirmationWord = 'DELETE'

/** Minutes for which a log-in is proof enough, where there is no password to type again. */
export const freshMinutes = 10

export const isFresh = (provenAt: Date, now = new Date()) =>
  now.getTime() - provenAt.getTime() <= freshMinutes * 60_000

export const membersLabel = (count: number) =>
  count === 1 ? '1 member' : `${count.toLocaleString('en-US')} members`

/** What the line of an own course says of it. */
export function fateOf({
  membersCount,
  buyersCount,
}: {
  membersCount: number
  buyersCount: number
}) {
  const members = membersCount === 0 ? 'no members' : membersLabel(membersCount)
  if (buyersCount > 0) return `${members}, stays for those who paid`
  return membersCount === 0 ? `${members}, deleted` : `${members}, you choose below`
}

/** What is said when the two ways of leaving courses to their members are offered. */
export const choices = {
  keep: {
    label: 'Keep them for their members',
    hint: 'Members go on learning. Your name is taken off, nobody new can join, and nobody can edit them any more, you included. Once the last member is gone they are deleted.',
  },
  delete: {
    label: 'Delete them too',
    hint: 'Lessons, pictures and videos are removed, and with them the progress of their members. Members are told.',
  },
} as const
