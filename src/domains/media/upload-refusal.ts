/** An answer to a person's upload request other than success, in the form that the tus server sends on. */
export class UploadRefusal extends Error {
  readonly status_code: number
  readonly body: string

  constructor(status: number, message: string) {
    super(message)
    this.status_code = status
    this.body = message
  }
}
