// The same scripts through the calls: each text, address and document of each call that writes, one after the other.
import type { Services } from '../../src/server/services.ts'
import { type ContractRow, contractRows, requestOf } from '../contract-rows.ts'
import { inputs, type Target } from '../contract-inputs.ts'
import { forgetLimits } from '../forget-limits.ts'
import { hostileAddresses, hostileDocuments } from './hostile-documents.ts'
import type { Reader } from './readers.ts'
import { everyScript, scriptsWithin } from './scripts.ts'

/** Afterwards the course, the person or what is written on would not be there. */
const ending =
  /delete|remove|leave|endAll|endMy|suspend|revoke|unpublish|cancel|demoUpgrade|switch/i

type Path = (string | number)[]

function leavesOf(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesOf(one, [...path, index]))
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  if ('type' in value && value.type === 'doc') return [{ path, value }]
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
}

function withLeaf(value: unknown, path: Path, leaf: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return leaf
  if (Array.isArray(value)) {
    return value.map((one, index) => (index === key ? withLeaf(one, rest, leaf) : one))
  }
  const object = value as Record<string, unknown>
  return { ...object, [key]: withLeaf(object[key], rest, leaf) }
}

const isName = (text: string) =>
  /^[0-9a-f-]{36}$/.test(text) || /^\d{4}-\d\d-\d\dT/.test(text) || text === ''

/** What stands in the place of a leaf, the longest first; nothing for what is no text. */
function hostileFor(path: Path, value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return [...hostileDocuments]
  if (typeof value !== 'string' || isName(value)) return []
  const name = path.findLast((key) => typeof key === 'string') ?? ''
  const isAddress = /url|href|website|link|^x$|youtube|video/i.test(String(name))
  return isAddress ? [...hostileAddresses] : [everyScript, scriptsWithin(300), scriptsWithin(100)]
}

export interface SentScripts {
  accepted: number
  refused: number
  /** Answers that are neither. */
  problems: string[]
  /** 'courses.createCourse title': everything that was tried. */
  fields: string[]
}

interface Senders {
  creator: Reader
  learner: Reader
  administrator: Reader
}

const senderOf = ({ access, path }: ContractRow, senders: Senders): Reader => {
  if (access === 'admin') return senders.administrator
  return access === 'instructor' || !/reviews|applications|report/.test(path)
    ? senders.creator
    : senders.learner
}

/** As the people who may write there. Documents are kept all together, below the last that was accepted. */
export async function sendScripts(
  origin: string,
  services: Services,
  target: Target,
  senders: Senders,
): Promise<SentScripts> {
  const sent: SentScripts = { accepted: 0, refused: 0, problems: [], fields: [] }
  const rows = contractRows.filter(({ method, name }) => method !== 'GET' && !ending.test(name))
  for (const row of rows) {
    const { cookie } = senderOf(row, senders)
    const send = async (path: Path, leaf: unknown) => {
      const input = withLeaf(await inputs[row.name]!(target, services), path, leaf)
      const request = requestOf(row, input as Record<string, unknown>)
      const answer = await fetch(origin + request.path, {
        method: row.method,
        headers: { cookie, origin, 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
      })
      const said = await answer.text()
      if (answer.status >= 500) sent.problems.push(`${row.name} ${path.join('.')}: ${said}`)
      if (answer.ok) sent.accepted++
      else sent.refused++
      return answer.ok
    }
    await forgetLimits(services.pool)
    const valid = await inputs[row.name]!(target, services)
    for (const { path, value } of leavesOf(valid)) {
      const hostile = hostileFor(path, value)
      if (hostile.length === 0) continue
      sent.fields.push(`${row.name} ${path.join('.')}`)
      const isText = typeof value === 'string' && hostile !== hostileAddresses
      const content: unknown[] = []
      for (const one of hostile) {
        const isAccepted = await send(path, one)
        // The longest that is taken says all that shorter ones would.
        if (isAccepted && isText && hostile.length === 3) break
        if (isAccepted && typeof one === 'object' && one !== null && 'content' in one) {
          content.push(...(one.content as unknown[]))
        }
      }
      if (content.length > 0) await send(path, { type: 'doc', content })
    }
  }
  return sent
}
