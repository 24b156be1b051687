// What people, PayPal and bad days do to payouts, done to the PayPal sandbox.
import type { PayPalSandbox } from '../src/sandbox/paypal/sandbox.ts'
import type { TestApp } from './app.ts'

type Operated = { services: Pick<TestApp['services'], 'paypal'> }

export async function paypalControl<T>(
  sandbox: Pick<PayPalSandbox, 'api' | 'clientSecret'>,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${sandbox.api}/_sandbox${path}`, {
    method: body ? 'POST' : 'GET',
    body: body && JSON.stringify(body),
    headers: { authorization: `Bearer ${sandbox.clientSecret}` },
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

function control<T>(app: Operated, path: string, body?: object): Promise<T> {
  const sandbox = app.services.paypal?.sandbox
  if (!sandbox) throw new Error('this app has no PayPal sandbox')
  return paypalControl(sandbox, path, body)
}

export interface PayPalBatch {
  id: string
  header: { sender_batch_id: string }
  items: {
    status: string
    sent: { receiver: string; amount: { value: string; currency: string }; note: string }
  }[]
}

/** Newest first. */
export const paypalBatches = (app: Operated) => control<PayPalBatch[]>(app, '/batches')

/** The money is there. */
export const completeAtPayPal = (app: Operated, batchId: string) =>
  control(app, `/batches/${batchId}/settle`, { status: 'SUCCESS' })

/** 30 days are over, and nobody has claimed it. */
export const returnUnclaimed = (app: Operated, batchId: string) =>
  control(app, `/batches/${batchId}/settle`, { status: 'RETURNED' })

/** `status` as PayPal calls it; DENIED is about the whole batch. */
export const failAtPayPal = (app: Operated, batchId: string, status: string, problem?: string) =>
  control(app, `/batches/${batchId}/settle`, { status, problem })

export const paypalSwitches = (
  app: Operated,
  change: {
    apiStatus?: number
    apiDelayMs?: number
    losesAnswers?: boolean
    isEmpty?: boolean
  },
) => control(app, '/switches', change)
