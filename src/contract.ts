// The HTTP API: every call, with its access, input, output and errors.
import { accounts } from './domains/accounts/contract.ts'
import { billing } from './domains/billing/contract.ts'
import { courses } from './domains/courses/contract.ts'
import { enrollment } from './domains/enrollment/contract.ts'
import { lessons } from './domains/lessons/contract.ts'
import { media } from './domains/media/contract.ts'
import { realtime } from './domains/notifications/contract.ts'

export const contract = { accounts, billing, courses, enrollment, lessons, media, realtime }
