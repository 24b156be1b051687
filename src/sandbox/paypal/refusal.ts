// An error as PayPal's API answers it.
interface Detail {
  field: string
  location: 'body'
  issue: string
  link?: object[]
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: Detail[]

  constructor(status: number, code: string, message: string, details: Detail[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

export const notFound = () =>
  new Refusal(404, 'INVALID_RESOURCE_ID', 'The requested resource was not found.')
