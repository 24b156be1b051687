import { createHash } from 'node:crypto'
import { ORPCError } from '@orpc/server'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { idempotencyKeys } from '../domains/tokens/tables.ts'
import type { Db, Transaction } from './db.ts'
import type { Services } from './services.ts'

/** Seconds without a sign of life after which a request is taken for dead: where it did nothing, it may be sent again. */
const patience = 60
/** Seconds after which a request that is under way gives another sign of life. */
const betweenSigns = 20

/** Letters of an answer that is kept. */
const longestAnswer = 64 * 1024
/** In place of an answer that was longer; no JSON is empty. */
const tooLong = ''

/** What RFC 8941 allows in a string, as most clients send it, with quotes or without. */
const keyPattern = /^[\x20-\x7e]{1,255}$/

const refuse = (code: string, status: number, message: string) =>
  new ORPCError(code, { status, message })

const badKey = () =>
  refuse(
    'BAD_IDEMPOTENCY_KEY',
    400,
    'The header Idempotency-Key must have 1 to 255 letters, digits and signs of ASCII.',
  )
const otherRequest = () =>
  refuse(
    'IDEMPOTENCY_KEY_REUSED',
    422,
    'This Idempotency-Key was used for another request. Choose a new one for each thing to do.',
  )
const inFlight = () =>
  refuse(
    'IDEMPOTENCY_IN_FLIGHT',
    409,
    'A request with this Idempotency-Key is under way. Please send it again in a moment.',
  )
const answerLost = () =>
  refuse(
    'IDEMPOTENCY_ANSWER_LOST',
    409,
    'This was done already, by an earlier request with this Idempotency-Key, but its answer is not there any more. Nothing was done again.',
  )

/** A request that has the key, until it is over. */
interface Claim {
  userId: string
  key: string
  attempt: number
}

const ofClaim = ({ userId, key, attempt }: Claim) =>
  and(
    eq(idempotencyKeys.userId, userId),
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.attempt, attempt),
  )

const isOver = sql`${idempotencyKeys.createdAt} < now() - interval '24 hours'`
const isLate = sql`${idempotencyKeys.startedAt} < now() - make_interval(secs => ${patience})`
/** Its transaction never ended: nothing was done, and whoever takes over fences it off. */
const isDead = sql`${idempotencyKeys.doneAt} is null and ${isLate}`
/** It was done, and nobody will answer any more. */
const isLost = sql<boolean>`${idempotencyKeys.doneAt} is not null and ${isLate}`

/** The key for this request, or what an earlier one with it answered. */
async function claim(
  db: Db,
  request: { userId: string; key: string; requestHash: string },
): Promise<{ claim: Claim } | { answer: string }> {
  const [claimed] = await db
    .insert(idempotencyKeys)
    .values(request)
    .onConflictDoUpdate({
      target: [idempotencyKeys.userId, idempotencyKeys.key],
      set: {
        requestHash: request.requestHash,
        attempt: sql`${idempotencyKeys.attempt} + 1`,
        startedAt: sql`now()`,
        doneAt: null,
        answer: null,
        createdAt: sql`now()`,
      },
      setWhere: sql`${isOver} or (${idempotencyKeys.requestHash} = ${request.requestHash} and ${isDead})`,
    })
    .returning({ attempt: idempotencyKeys.attempt })
  const { userId, key } = request
  if (claimed) return { claim: { userId, key, attempt: claimed.attempt } }
  const [earlier] = await db
    .select({
      requestHash: idempotencyKeys.requestHash,
      answer: idempotencyKeys.answer,
      isLost,
    })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)))
  // It was refused at this moment, and the key is free again.
  if (!earlier) throw inFlight()
  if (earlier.requestHash !== request.requestHash) throw otherRequest()
  if (earlier.answer === tooLong) throw answerLost()
  if (earlier.answer !== null) return { answer: earlier.answer }
  throw earlier.isLost ? answerLost() : inFlight()
}

/**
 * The services of one request: each transaction that may write notes, as part of itself, that what was asked is done. It is undone when
 * somebody else has taken over meanwhile.
 */
function noting({ db, ...services }: Services, claimed: Claim): Services {
  const note = async (transaction: Transaction) => {
    const noted = await transaction
      .update(idempotencyKeys)
      .set({ doneAt: sql`now()` })
      .where(ofClaim(claimed))
      .returning({ key: idempotencyKeys.key })
    if (noted.length === 0) throw inFlight()
  }
  const transaction: Db['transaction'] = (work, config) =>
    db.transaction(async (open) => {
      const result = await work(open)
      // What only looks has done nothing yet, and could not write it down.
      if (config?.accessMode !== 'read only') await note(open)
      return result
    }, config)
  return { ...services, db: Object.create(db, { transaction: { value: transaction } }) as Db }
}

/** Gives signs of life until it is told to stop: some work takes longer than proxies wait, and must not be begun anew each time. */
function keepAlive(db: Db, claimed: Claim): () => void {
  const sign = () =>
    db
      .update(idempotencyKeys)
      .set({ startedAt: sql`now()` })
      .where(ofClaim(claimed))
      // The next one may come through; without any, it is as good as dead.
      .catch(() => undefined)
  const timer = setInterval(() => void sign(), betweenSigns * 1000).unref()
  return () => clearInterval(timer)
}

/**
 * Does `work` once for this person and key, however often, at whatever moments and on however many nodes the request
 * is sent; later ones get the first one's answer. `work` has to do what it does in transactions of the services that
 * it is given.
 */
export async function onceByKey<Output>(
  services: Services,
  request: { userId: string; key: string; call: string; input: unknown },
  work: (services: Services) => Promise<Output>,
): Promise<{ output: Output; isReplay: boolean }> {
  const { db } = services
  const { userId, key, call, input } = request
  if (!keyPattern.test(key)) throw badKey()
  const requestHash = createHash('sha256')
    .update(JSON.stringify([call, input]))
    .digest('hex')
  const found = await claim(db, { userId, key, requestHash })
  if ('answer' in found) return { output: JSON.parse(found.answer) as Output, isReplay: true }
  const stopSigns = keepAlive(db, found.claim)
  try {
    const output = await work(noting(services, found.claim))
    const answer = JSON.stringify(output)
    await db
      .update(idempotencyKeys)
      .set({ doneAt: sql`now()`, answer: answer.length > longestAnswer ? tooLong : answer })
      .where(ofClaim(found.claim))
    return { output, isReplay: false }
  } catch (error) {
    // What was refused, or failed before anything was done, may be sent again with the same key. A refusal does
    // nothing, also where a transaction found out that it is one.
    const isRefusal = error instanceof ORPCError && error.status < 500
    await db
      .delete(idempotencyKeys)
      .where(and(ofClaim(found.claim), isRefusal ? undefined : isNull(idempotencyKeys.doneAt)))
    throw error
  } finally {
    stopSigns()
  }
}

/** Daily: keys that count no more. */
export async function removeOldIdempotencyKeys(db: Db): Promise<void> {
  await db.delete(idempotencyKeys).where(isOver)
}
