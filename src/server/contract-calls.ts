import { SmartCoercionPlugin } from '@orpc/json-schema'
import { OpenAPIHandler } from '@orpc/openapi/fetch'
import {
  createRouterClient,
  onError,
  ORPCError,
  type RouterClient,
  ValidationError,
} from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { DatabaseError } from 'pg'
import type * as z from 'zod'
import { handlers } from '../handlers.ts'
import type { CallContext } from './api.ts'
import { databaseProblemOf } from './database-problem.ts'
import { speakToPeople } from './input-messages.ts'
import type { Log } from './log.ts'
import { textAnswer } from './packing.ts'
import { paymentProblem } from './payment-problem.ts'
import { storeProblemOf } from './storage.ts'

speakToPeople()

export type ApiClient = RouterClient<typeof handlers>

/** Of one input that are told. */
const mostProblems = 100

/** What is wrong with an input: the first problem as the message, all of them by field. */
function describeInput(error: ValidationError) {
  const issues = error.issues as z.core.$ZodIssue[]
  // A list of 100,000 wrong parts is answered in less than was sent.
  const fields = issues
    .slice(0, mostProblems)
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
  return new ORPCError('BAD_REQUEST', {
    status: 422,
    message: fields[0]?.message,
    data: { fields },
  })
}

/** True for what was stored in the name of somebody who deleted the own account at that moment. */
function isOfDepartedPerson(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    return error.code === '23503' && (error.constraint ?? '').endsWith('_users_id_fk')
  }
  return error instanceof Error && isOfDepartedPerson(error.cause)
}

/** The one place where what a handler threw becomes what the caller may know. */
function presentError(error: unknown, log: Log, requestId: string): never {
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError && error.code === 'BAD_REQUEST')
      throw describeInput(error.cause)
    if (error.code !== 'INTERNAL_SERVER_ERROR') throw error
  }
  if (isOfDepartedPerson(error)) {
    throw new ORPCError('UNAUTHORIZED', { message: 'User must be authenticated' })
  }
  const ofProvider = paymentProblem(error instanceof ORPCError ? error.cause : error)
  if (ofProvider) {
    log.warn({ err: error, requestId }, 'the payment provider did not do what was asked')
    throw ofProvider
  }
  const failure = error instanceof ORPCError ? (error.cause ?? error) : error
  log.error({ err: failure, requestId }, 'a call failed')
  const problem = storeProblemOf(failure) ?? databaseProblemOf(failure)
  if (problem) throw new ORPCError('SERVICE_UNAVAILABLE', { message: problem })
  throw new ORPCError('INTERNAL_SERVER_ERROR', {
    message: `Something went wrong on our side. Please try again. If it happens again, tell us this number: ${requestId}`,
  })
}

/** True for what JSON is made of: not for files, streams and their like, which are answered otherwise. */
function isPlain(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return body !== undefined
  const prototype: unknown = Object.getPrototypeOf(body)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}

const notAnObject = () =>
  new ORPCError('BAD_REQUEST', { message: 'The body must be a JSON object.' })

/** Beside the parts of an address the library would leave out a body that is anything else, without a word. */
function isReadable(body: unknown): boolean {
  if (body === undefined || body === null) return true
  if (body instanceof FormData || body instanceof URLSearchParams) return true
  return isPlain(body) && typeof body === 'object' && !Array.isArray(body)
}

/** Answers the contract's paths over HTTP; undefined when the path is not in the contract. */
export function createHttpCalls(log: Log) {
  const handler = new OpenAPIHandler<CallContext>(handlers, {
    plugins: [new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })],
    rootInterceptors: [
      ({ next, ...asked }) => {
        const { request } = asked
        const body = async () => {
          const sent = await request.body()
          if (!isReadable(sent)) throw notAnObject()
          return sent
        }
        // The answer to HEAD is the one of GET; whoever sends it leaves out the body.
        const method = request.method === 'HEAD' ? 'GET' : request.method
        return next({ ...asked, request: { ...request, method, body } })
      },
      async ({ context, next }) => {
        const result = await next()
        if (!result.matched || !context.direct || context.direct.answer) return result
        const { status, headers, body } = result.response
        if (!isPlain(body) || Object.keys(headers).length > 0) return result
        // The library would make an answer of it that has to be read again before it can be packed.
        context.direct.answer = textAnswer(JSON.stringify(body), {
          status,
          type: 'application/json',
        })
        return { matched: true, response: { status, headers, body: undefined } }
      },
    ],
    clientInterceptors: [
      onError((error, { context }) => presentError(error, log, context.requestId)),
    ],
  })
  return async (request: Request, context: CallContext) =>
    (await handler.handle(request, { context })).response
}

/** The same calls, in-process, for page loaders and actions. */
export function createLocalCalls(context: CallContext): ApiClient {
  return createRouterClient(handlers, {
    context,
    interceptors: [
      onError((error) => presentError(error, context.services.log, context.requestId)),
    ],
  })
}
