// Sends hostile requests to one call or door, looks at each answer, and names what is wrong with how to repeat it.
import { setTimeout as pause } from 'node:timers/promises'
import { foreignHost } from './hostile-values.ts'
import { type Attacked, asCurl, hostileRequest, type HostileRequest } from './hostile-requests.ts'
import { randomOf } from './random.ts'
import { type RawAnswer, send } from './send.ts'
import { watchStalls } from './stalls.ts'

/** Milliseconds for which one request may keep the server from everybody else. */
const longestStall = 100

/** Milliseconds after which even a single answer is a fault: a slow statement keeps a connection. */
const longestAnswer = 1500

const atOnce = 8

/** Words that belong into our log, not into an answer. */
const internals = new RegExp(
  [
    'node_modules|drizzle|graphile|postgres|file:///',
    String.raw`\n\s+at \S+ \(|\.tsx?:\d+|/src/|/build/server`,
    '(?<!<)select .* from |insert into |syntax error at|violates|invalid input syntax|invalid byte',
    'deadlock detected|out of range for type|does not exist at character|canceling statement',
    'ECONN|ENOENT|EACCES|TypeError|RangeError|ReferenceError|SyntaxError|URIError|ZodError',
    'is not a function|of undefined|of null|Unexpected token|in JSON at position|Cannot read',
  ].join('|'),
  'i',
)

/** Node's own, and before anything of ours is asked. */
const emptyRefusals = new Set([400, 408, 413, 414, 417, 431])

function faultOf(request: HostileRequest, answer: RawAnswer): string | null {
  const { status, headers, text } = answer
  if (status >= 500) return `answered ${status}: ${text.slice(0, 300)}`
  const mayClose = request.isCut || 'expect' in request.headers || 'upgrade' in request.headers
  if (status === 0 && !mayClose && (request.body?.length ?? 0) < 10_000) return 'no answer'
  if (headers['x-injected']) return 'a header was injected'
  const location = headers.location
  if (typeof location === 'string' && URL.canParse(location, 'http://here.example')) {
    if (new URL(location, 'http://here.example').host === foreignHost) {
      return `sends people away, to ${location}`
    }
  }
  const isPacked = headers['content-encoding'] !== undefined
  const isJson = String(headers['content-type']).includes('json') && !isPacked
  // What was typed may be among what is answered with success.
  const inside = status >= 400 ? internals.exec(text) : null
  if (inside) {
    const around = text.slice(Math.max(0, inside.index - 100), inside.index + 200)
    return `says what is inside (${inside[0]}): ${around}`
  }
  if (status >= 400 && text === '' && request.method !== 'HEAD' && !emptyRefusals.has(status)) {
    if (!request.isCut && status !== 404 && status !== 405)
      return `answered ${status} without a word`
  }
  if (isJson && text !== '' && request.method !== 'HEAD') {
    try {
      JSON.parse(text)
    } catch {
      return `no JSON, though it says so: ${text.slice(0, 200)}`
    }
  }
  return null
}

export interface Campaign {
  origin: string
  seed: string
  attacked: Attacked
  /** The numbers of the first input and of the one after the last. */
  from: number
  until: number
  valid: Record<string, unknown>
  /** Of the person whom the call is for; a few of the requests are a stranger's. */
  cookie: string | null
  /** When somebody was told to come back later. */
  forgetLimits(): Promise<unknown>
  /** Also looks for requests that keep the server from others. */
  timed: boolean
}

export interface Figures {
  inputs: number
  faults: string[]
  statuses: Record<number, number>
  /** Milliseconds for which the server did nothing else, with the clients that send in the same process. */
  longestStall: number
}

function requestNumber(campaign: Campaign, number: number): HostileRequest {
  const { attacked, valid, cookie, seed } = campaign
  const random = randomOf(seed, attacked.name, number)
  const isStranger = random.chance(8)
  const own: Record<string, string> = cookie && !isStranger ? { cookie } : {}
  const request = hostileRequest(attacked, valid, random)
  return { ...request, headers: { ...own, ...request.headers } }
}

/** The shortest of several times, so that a collection of garbage does not count. */
async function alone(origin: string, request: HostileRequest) {
  let stall = Infinity
  let answer = Infinity
  for (let time = 0; time < 4 && (stall > longestStall || answer > longestAnswer); time += 1) {
    const stalls = watchStalls()
    const start = performance.now()
    await send(origin, request)
    answer = Math.min(answer, performance.now() - start)
    // The loop has to come round for what held it up to be counted.
    await pause(12)
    stalls.stop()
    stall = Math.min(stall, stalls.longest())
  }
  return { stall, answer }
}

export async function runCampaign(campaign: Campaign): Promise<Figures> {
  const { origin, attacked, from, until, seed } = campaign
  const figures: Figures = { inputs: 0, faults: [], statuses: {}, longestStall: 0 }
  const report = (number: number, request: HostileRequest, what: string) =>
    figures.faults.push(
      `${attacked.name} input ${number} of seed ${seed}: ${what}\n${asCurl(origin, request).slice(0, 6000)}`,
    )
  let next = from
  const batch = 32
  while (next < until && figures.faults.length < 10) {
    const numbers = Array.from(
      { length: Math.min(batch, until - next) },
      (_, index) => next + index,
    )
    next += numbers.length
    const requests = numbers.map((number) => requestNumber(campaign, number))
    const times: number[] = []
    const rest = requests.entries()
    const stalls = watchStalls()
    const work = async () => {
      for (const [index, request] of rest) {
        const start = performance.now()
        const answer = await send(origin, request)
        times[index] = performance.now() - start
        figures.inputs += 1
        figures.statuses[answer.status] = (figures.statuses[answer.status] ?? 0) + 1
        const fault = faultOf(request, answer)
        if (fault) report(numbers[index]!, request, fault)
        if (answer.status === 429) await campaign.forgetLimits()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    stalls.stop()
    if (!campaign.timed) continue
    const hasStalled = stalls.longest() > longestStall
    if (!hasStalled) figures.longestStall = Math.max(figures.longestStall, stalls.longest())
    for (const [index, request] of requests.entries()) {
      if (!hasStalled && times[index]! < longestAnswer) continue
      const { stall, answer } = await alone(origin, request)
      figures.longestStall = Math.max(figures.longestStall, stall)
      if (stall > longestStall)
        report(numbers[index]!, request, `held the server up for ${stall.toFixed(0)} ms`)
      else if (answer > longestAnswer)
        report(numbers[index]!, request, `took ${answer.toFixed(0)} ms`)
    }
  }
  return figures
}
