// What administrators look after, and what Pro brings, for the pictures: a suspended creator who appeals, questions
// to the support team, a challenge, a course with a look of its own.
import { paragraph } from './paragraph.ts'

export type Suspended = 'suspended'
type Person = Suspended | 'seller' | 'subscriber' | 'newcomer' | 'graduate'

interface Town {
  /** One call of the API, as this person. */
  // oxlint-disable-next-line no-explicit-any -- each call has its own answer, of which a field is read
  call: (as: Person, method: string, path: string, body?: unknown) => Promise<any>
}

const dayLength = 24 * 60 * 60 * 1000
const inDays = (days: number) => new Date(Date.now() + days * dayLength).toISOString()

async function suspendSomebody({ call }: Town) {
  const account = { email: 'suspended@demo.thunder.example', password: 'demo1234' }
  await call('suspended', 'POST', '/auth/v1/sign-up/email', { ...account, name: 'Sid Suspended' })
  const { slug } = await call('suspended', 'POST', '/rest/v1/courses', {
    title: 'Rich by Tuesday',
    description: paragraph('Send me the half.'),
    category: 'Business',
  })
  const { id } = await call('suspended', 'GET', '/rest/v1/me')
  await call('seller', 'POST', `/rest/v1/admin/people/${id}/suspension`, {
    reason: 'You asked learners to send you money outside the course.',
  })
  // All sessions have ended.
  await call('suspended', 'POST', '/auth/v1/sign-in/email', account)
  await call('suspended', 'POST', '/rest/v1/me/suspension/appeal', {
    appeal: 'That line was a joke. I have taken it out.',
  })
  return { personId: id as string, slug: slug as string }
}

async function askForSupport({ call }: Town) {
  const { requestId } = await call('newcomer', 'POST', '/rest/v1/support/requests', {
    topic: 'learning',
    subject: 'The video stops after a minute',
    message: 'It stops at 1:02 in Firefox, always at the same word.',
  })
  await call('seller', 'POST', `/rest/v1/admin/support/requests/${requestId}/messages`, {
    message: 'Thank you for telling us. Which version of Firefox is it?',
  })
  const { requestId: waiting } = await call('subscriber', 'POST', '/rest/v1/support/requests', {
    topic: 'payments',
    subject: 'An invoice with our address',
    message: 'Our bookkeeper needs the address of the company on the invoice.',
  })
  return { answered: requestId as string, waiting: waiting as string }
}

async function holdChallenge({ call }: Town, courseId: string) {
  const { id } = await call('seller', 'POST', '/rest/v1/admin/challenges', {
    kind: 'giveaway',
    title: 'A microphone for a new course',
    prize: 'A microphone for your desk',
    rules: 'Creators with Pro enter one published course. One winner is drawn from all entries.',
    opensAt: inDays(-1),
    closesAt: inDays(20),
  })
  const { slug } = await call('seller', 'POST', `/rest/v1/admin/challenges/${id}/publish`)
  await call('seller', 'PUT', `/rest/v1/challenges/${slug}/my-entry`, { courseId })
  return { id: id as string, slug: slug as string }
}

/** Answers the addresses that the screens lead to. */
export async function fillPublicFace(town: Town, course: { id: string; slug: string }) {
  const { call } = town
  await call('seller', 'PUT', `/rest/v1/courses/${course.id}/branding`, {
    colour: '#8a3ffc',
    logoId: null,
    coverId: null,
    certificateHeading: 'Certificate of the bakery',
    certificateWords: 'has baked every loaf of this course.',
    certificateSignatory: 'Salma Seller',
  })
  const { certificates } = await call('graduate', 'GET', '/rest/v1/certificates')
  return {
    suspended: await suspendSomebody(town),
    support: await askForSupport(town),
    challenge: await holdChallenge(town, course.id),
    certificateId: certificates[0].id as string,
  }
}
