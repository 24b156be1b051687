/** What the API answers instead of an object, in Stripe's shape. */
export class Refusal extends Error {
  status: number
  answer: {
    type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
    code?: string
    param?: string
    decline_code?: string
    [more: string]: unknown
  }
  constructor(status: number, message: string, answer: Refusal['answer']) {
    super(message)
    this.status = status
    this.answer = answer
  }
}

/** Wrong input: 400 with the parameter that is wrong. */
export const wrong = (message: string, param?: string, code?: string) =>
  new Refusal(400, message, { type: 'invalid_request_error', param, code })

export const missing = (kind: string, id: string, param = 'id') =>
  new Refusal(404, `No such ${kind}: '${id}'`, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
  })
