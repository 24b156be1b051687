// What the pages of webhooks ask the server. Loaded after the page; each answers a problem in words, or null.
import { safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { doneOnce } from '../../../web/done-once.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import type { ChosenEventType } from '../events.ts'

const calls = client.webhooks
const createdOnce = doneOnce()
const again = 'That did not work. Please check your connection and try again.'

export interface TypedEndpoint {
  url: string
  description: string
  events: ChosenEventType[]
  courseId: string | null
}

export async function createEndpoint(typed: TypedEndpoint) {
  const [error, endpoint] = await safe(
    createdOnce(typed, (idempotencyKey) =>
      calls.createWebhook(typed, { context: { idempotencyKey } }),
    ),
  )
  return error ? { problem: callProblem(error, again) } : endpoint
}

export async function changeEndpoint(
  endpointId: string,
  change: Partial<TypedEndpoint> & { active?: boolean },
) {
  const [error] = await safe(calls.updateWebhook({ endpointId, ...change }))
  return error ? callProblem(error, again) : null
}

export async function deleteEndpoint(endpointId: string) {
  const [error] = await safe(calls.deleteWebhook({ endpointId }))
  return error ? callProblem(error, again) : null
}

export async function readSecret(endpointId: string) {
  const [error, told] = await safe(calls.getWebhookSecret({ endpointId }))
  return error ? { problem: callProblem(error, again) } : told
}

export async function makeNewSecret(endpointId: string) {
  const [error, told] = await safe(calls.rotateWebhookSecret({ endpointId }))
  return error ? { problem: callProblem(error, again) } : told
}

export async function sendTest(endpointId: string) {
  const [error] = await safe(calls.sendTestWebhook({ endpointId }))
  return error ? callProblem(error, again) : null
}

export async function replay(endpointId: string, messageId: string) {
  const [error] = await safe(calls.replayWebhookDelivery({ endpointId, messageId }))
  return error ? callProblem(error, again) : null
}
