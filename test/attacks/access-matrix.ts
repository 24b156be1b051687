// Who may make which call about which course: the rules once more, in the words of the product and not of the guard,
// and the page of the documentation that they make.
import type { Access } from '../../src/contract-row.ts'
import { type ContractRow, contractRows } from '../contract-rows.ts'

/** Kinds of people, as they stand to the courses below. */
export const roles = [
  'stranger',
  'stranger with a forged cookie',
  'outsider',
  'applicant',
  'rejected applicant',
  'removed member',
  'member',
  'member whose payment is overdue',
  'suspended member',
  'suspended outsider',
  'instructor',
  'instructor of another course',
  'suspended instructor',
  'administrator',
  'former administrator',
] as const
export type Role = (typeof roles)[number]

/** Every member is in each of the first three. */
export const objects = ['published course', 'draft', 'suspended course', 'no such course'] as const
export type Kind = (typeof objects)[number]

export type Outcome = 'passes' | 'sign in' | 'suspended' | 'forbidden' | 'not found'

const isStranger = (role: Role) => role.startsWith('stranger')
const isSuspended = (role: Role) => role.startsWith('suspended ')

/** What the guard must say to this person; what is behind it has rules of its own. */
export function expectedOutcome(
  row: Pick<ContractRow, 'access' | 'whileSuspended'>,
  role: Role,
  object: Kind,
): Outcome {
  if (row.access === 'public') return 'passes'
  if (isStranger(role)) return 'sign in'
  if (isSuspended(role) && !row.whileSuspended) return 'suspended'
  if (row.access === 'signedIn') return 'passes'
  if (row.access === 'admin') return role === 'administrator' ? 'passes' : 'forbidden'
  if (object === 'no such course') return 'not found'
  const owns = role === 'instructor' || role === 'suspended instructor'
  const learns =
    owns || role === 'administrator' || /\bmember/.test(role.replace('removed member', ''))
  if (object !== 'published course' && !learns) return 'not found'
  if (row.access === 'member') return learns ? 'passes' : 'forbidden'
  if (row.access === 'moderator' && role === 'administrator') return 'passes'
  return owns ? 'passes' : 'forbidden'
}

/** As oxfmt aligns them. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]!.length)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const levels: [Access, string][] = [
  ['public', 'Everybody; to a suspended person’s public calls they are a stranger.'],
  ['signedIn', 'Whoever is signed in; what the call is about is found by their own id only.'],
  ['member', 'Who may learn in the course.'],
  ['moderator', 'The instructor of the course, and administrators.'],
  ['instructor', 'The instructor of the course alone.'],
  ['admin', 'Administrators.'],
]

const callLine = ({ name, method, path, whileSuspended, stoppedBy }: ContractRow) => {
  const notes = [
    ...(whileSuspended ? ['also while suspended'] : []),
    ...(stoppedBy ? [`stopped by the switch \`${stoppedBy}\``] : []),
  ]
  return [`\`${name}\``, `\`${method} ${path}\``, notes.join(', ')]
}

/** The whole of docs/access-matrix.md. */
export function accessMatrixPage(): string {
  const sections = levels.map(([access, words]) => {
    const calls = contractRows.filter((row) => row.access === access)
    const outcomes = roles.map((role) => [
      role,
      ...objects.map((object) => expectedOutcome({ access, whileSuspended: false }, role, object)),
    ])
    return [
      `## \`${access}\` (${calls.length} calls)`,
      words,
      table(['who', ...objects], outcomes),
      table(['call', 'address', 'more'], calls.map(callLine)),
    ].join('\n\n')
  })
  return (
    [
      '# Who may make which call',
      `Made by \`test/attacks/access-matrix.test.ts\`, which also asks the guard about each of the ${contractRows.length} calls for each of these people and courses; \`vitest run -u\` with that file writes it anew.`,
      'What somebody is told: **passes** goes on to the rules of the call itself; **sign in** is 401, **suspended** 403 `ACCOUNT_SUSPENDED`, **forbidden** 403, **not found** 404, the same for what is hidden and for what does not exist. Calls that are open _also while suspended_ treat a suspended person as they would treat them otherwise.',
      ...sections,
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  )
}
