// What a creator has round her courses, for the pictures: applicants, invitations, reports to look at, a way to be
// paid, and what her programs use.
import { paragraph } from './paragraph.ts'

type Person = 'seller' | 'subscriber' | 'debtor' | 'canceler'

interface School {
  /** One call of the API, as this person. */
  // oxlint-disable-next-line no-explicit-any -- each call has its own answer, of which a field is read
  call: (as: Person, method: string, path: string, body?: unknown) => Promise<any>
}

async function openToApplicants({ call }: School) {
  const { id, slug } = await call('seller', 'POST', '/rest/v1/courses', {
    title: 'Bread for Restaurants',
    description: paragraph('For six at a time.'),
    category: 'Cooking',
  })
  const lessons = [{ title: 'The oven', content: paragraph('Hot, and then hotter.') }]
  const { contentVersion } = await call('seller', 'GET', `/rest/v1/courses/${id}/content`)
  await call('seller', 'PUT', `/rest/v1/courses/${id}/content`, {
    contentVersion,
    chapters: [{ title: 'Before service', lessons }],
  })
  await call('seller', 'POST', `/rest/v1/courses/${id}/publish`)
  await call('seller', 'PATCH', `/rest/v1/courses/${id}`, {
    applicationRequired: true,
    applicationInstructions: 'Tell me about the kitchen that you bake in.',
  })
  const asked = [{ question: 'How many loaves a day?' }, { question: 'Where?', required: false }]
  const { questions } = await call(
    'seller',
    'PUT',
    `/rest/v1/courses/${id}/application-questions`,
    {
      questions: asked,
    },
  )
  for (const [applicant, loaves] of [
    ['debtor', 'Forty on weekdays, ninety on Saturdays.'],
    ['canceler', 'Twelve. I would like to bake more than that.'],
  ] as const) {
    await call(applicant, 'POST', '/rest/v1/course_applications', {
      courseId: id,
      answers: [{ questionId: questions[0].id, answer: loaves }],
    })
  }
  return slug as string
}

async function invite({ call }: School, courseId: string) {
  const invitations = `/rest/v1/courses/${courseId}/invitations`
  const { url } = await call('seller', 'POST', invitations, { maxUses: 20, expiresInDays: 30 })
  const csv = 'ada@demo.thunder.example\ngrace@demo.thunder.example'
  await call('seller', 'POST', `${invitations}/csv`, { csv, dryRun: false })
  return new URL(url as string).pathname
}

async function reportPosts({ call }: School, courseId: string) {
  const write = async (content: string) =>
    (await call('subscriber', 'POST', '/rest/v1/posts', { courseId, content, attachments: [] })).id
  const advertisement = await write('Cheap flour, write to me. Cheap flour, write to me.')
  const quarrel = await write('Whoever kneads by hand has too much time.')
  for (const [reporter, postId, reason, note] of [
    ['debtor', advertisement, 'spam', 'The third time this week.'],
    ['canceler', advertisement, 'spam', ''],
    ['canceler', quarrel, 'harassment', 'That was meant for me.'],
  ] as const) {
    await call(reporter, 'POST', '/rest/v1/reports', { postId, reason, note })
  }
}

async function connectPrograms({ call }: School) {
  const { id } = await call('seller', 'POST', '/rest/v1/webhooks', {
    url: 'https://hooks.example.com/sales',
    description: 'The bookkeeper',
    events: ['sale.completed', 'sale.refunded'],
  })
  await call('seller', 'POST', `/rest/v1/webhooks/${id}/test`)
  await call('seller', 'POST', '/rest/v1/me/tokens', {
    name: 'Website of the bakery',
    scopes: ['courses:read'],
    expiresInDays: 90,
  })
  return id as string
}

/** Answers the addresses that the screens lead to. */
export async function fillTeaching(
  school: School,
  sold: Record<'oneTime' | 'monthly', { id: string }>,
) {
  const { call } = school
  await call('seller', 'PUT', '/rest/v1/payout-setup', {
    method: 'paypal',
    accountType: 'individual',
    firstName: 'Salma',
    lastName: 'Seller',
    paypalEmail: 'salma@demo.thunder.example',
  })
  await reportPosts(school, sold.monthly.id)
  const { sales } = await call('seller', 'GET', '/rest/v1/sales')
  return {
    applications: await openToApplicants(school),
    invitation: await invite(school, sold.oneTime.id),
    webhookId: await connectPrograms(school),
    saleId: sales[0].id as string,
  }
}
