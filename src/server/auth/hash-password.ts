import { hash } from '@node-rs/argon2'

/** OWASP's first choice: argon2id, 19 MiB, two passes, one lane (the library's default algorithm). */
export const hashPassword = (password: string) =>
  hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
