// Does what a history says: as the person, over Thunder's API and the payment pages; as the creator; as the bank.
import type { Chance } from './chance.ts'
import { deliver, type EventFeed, type HeldEvent } from './event-feed.ts'
import type { History, PlayedStep } from './history.ts'
import type { Quiet } from './quiet.ts'
import { type Buyer, couponCodes, type Process, type Shop } from './world.ts'

export interface Stage {
  processes: readonly [Process, Process]
  feed: EventFeed
  quiet: Quiet
  shop: Shop
  random: Chance
}

export interface Played {
  history: History
  buyer: Buyer
  course: { id: string; slug: string }
  creator: Buyer
  customerId: string | null
  /** Webhooks that come at the very end. */
  late: HeldEvent[]
}

const cards = {
  good: '4242424242424242',
  'failing later': '4000000000000341',
  // Once: later months are paid without the person.
  '3-D Secure': '4000002500003155',
  declined: '4000000000000002',
}

/** Seconds after the moment that is waited for. */
const hour = 3600

export async function playHistory(
  { processes, feed, quiet, shop, random }: Stage,
  { history, buyer }: Pick<Played, 'history' | 'buyer'>,
  course: Played['course'],
): Promise<Played> {
  const { services } = processes[0]
  const { stripe, sandbox } = services.payments
  const { pool } = services
  const played: Played = {
    history,
    buyer,
    course,
    creator: shop.creator,
    customerId: null,
    late: [],
  }
  const lost: HeldEvent[] = []
  /** Since it was last waited for. */
  const delivered: string[] = []

  async function call(
    path: string,
    options: { method?: string; body?: object; by?: Buyer } = {},
  ): Promise<unknown> {
    const { method = 'POST', body, by = buyer } = options
    const response = await fetch(random.one(processes).url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { cookie: by.cookie, ...(body && { 'content-type': 'application/json' }) },
    })
    const text = await response.text()
    if (response.status !== 200) {
      throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    }
    return JSON.parse(text)
  }

  /** The sandbox's own levers. */
  async function control(path: string, body: object): Promise<void> {
    const response = await fetch(`http://${sandbox!.host}:${sandbox!.port}/_sandbox${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${sandbox!.secretKey}`,
        'content-type': 'application/json',
      },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  }

  /** Answers with where the page leads to; null when the card was refused. */
  async function postForm(url: string, fields: Record<string, string>): Promise<string | null> {
    const { pathname } = new URL(url, services.config.appUrl)
    const response = await fetch(random.one(processes).url + pathname, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers: { origin: services.config.appUrl },
    })
    const text = await response.text()
    if (response.status >= 300 && response.status < 400) return response.headers.get('location')
    if (response.status >= 500) throw new Error(`${pathname} answered ${response.status}: ${text}`)
    return null
  }

  const pay = (url: string, card: keyof typeof cards) =>
    postForm(url, {
      email: 'buyer@example.com',
      number: cards[card],
      expiry: '12/39',
      cvc: '123',
      name: 'A Buyer',
    })

  async function startCheckout(coupon?: string): Promise<string> {
    const started = await call('/functions/v1/course-checkout', {
      body: { course_id: course.id, price: 1, ...(coupon && { coupon }) },
    })
    const { rows } = await pool.query<{ id: string }>(
      'select id from payment_customers where user_id = $1',
      [buyer.id],
    )
    played.customerId = rows[0]?.id ?? null
    return (started as { url: string }).url
  }

  /** At the provider, oldest first. */
  async function charges() {
    if (!played.customerId) return []
    const { data } = await stripe.charges.list({ customer: played.customerId, limit: 100 })
    return data.filter(({ paid }) => paid).toReversed()
  }

  async function subscription() {
    const { data } = await stripe.subscriptions.list({ customer: played.customerId!, limit: 1 })
    if (!data[0]) throw new Error('no subscription is left at the provider')
    return data[0]
  }

  async function purchaseId(): Promise<string> {
    const { rows } = await pool.query<{ id: string }>(
      `select id from purchases where user_id = $1 order by created_at desc limit 1`,
      [buyer.id],
    )
    return rows[0]!.id
  }

  async function letTimePass() {
    const { items, status, latest_invoice: latest } = await subscription()
    const invoice = await stripe.invoices.retrieve(latest as string)
    const next =
      status === 'past_due' ? invoice.next_payment_attempt : items.data[0]!.current_period_end
    const { rows } = await pool.query<{ seconds: string }>(
      'select seconds from stripe_sandbox.clock_leads where customer = $1',
      [played.customerId],
    )
    const now = Math.floor(Date.now() / 1000) + Number(rows[0]?.seconds ?? 0)
    await control(`/customers/${played.customerId}/advance`, { seconds: next! - now + hour })
  }

  async function useCard(card: string) {
    const customer = played.customerId!
    const method = await stripe.paymentMethods.attach(card, { customer })
    const { id } = await subscription()
    await stripe.subscriptions.update(id, { default_payment_method: method.id })
  }

  async function take(step: PlayedStep['step']): Promise<void> {
    switch (step.does) {
      case 'buy': {
        const code = step.coupon ? couponCodes[step.coupon] : undefined
        const tabs = await Promise.all([
          startCheckout(code),
          ...(step.twoTabs && step.coupon !== 'everything off' ? [startCheckout(code)] : []),
        ])
        if (new Set(tabs).size !== 1) throw new Error(`two tabs, two payment pages: ${tabs.join()}`)
        if (step.coupon === 'everything off') return
        const led = await pay(tabs[0]!, step.card)
        if (!led) throw new Error('the card was refused')
        if (step.card === '3-D Secure') await postForm(led, { answer: 'complete' })
        return
      }
      case 'be declined': {
        const led = await pay(await startCheckout(), 'declined')
        if (led) throw new Error('a declined card paid')
        return
      }
      case 'break the card':
        return useCard('pm_card_chargeCustomerFail')
      case 'mend the card':
        return useCard('pm_card_visa')
      case 'let time pass':
        return letTimePass()
      case 'cancel':
      case 'resume':
        await call(`/rest/v1/purchases/${await purchaseId()}/${step.does}`)
        return
      case 'leave':
        await call(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE' })
        return
      case 'return':
        await call('/rest/v1/enrollments', { body: { courseId: course.id } })
        return
      case 'be removed':
        await call(`/rest/v1/courses/${course.id}/members/${buyer.id}`, {
          method: 'DELETE',
          by: shop.creator,
        })
        return
      case 'refund': {
        const charge = (await charges())[step.charge]!
        await stripe.refunds.create({ charge: charge.id, amount: step.amount })
        return
      }
      case 'dispute':
        return control(`/charges/${(await charges())[step.charge]!.id}/dispute`, {})
      case 'close the dispute': {
        const charge = (await charges())[step.charge]!
        const { data } = await stripe.disputes.list({ charge: charge.id })
        return control(`/disputes/${data[0]!.id}/close`, { won: step.isWon })
      }
    }
  }

  const taken = async () => (played.customerId ? feed.take(played.customerId) : [])

  /** Everything that happened is known to Thunder, and everything that it did about it is done. */
  async function settle() {
    let events = [...lost.splice(0), ...played.late.splice(0), ...(await taken())]
    for (;;) {
      await deliver(events, processes, random)
      delivered.push(...events.map(({ id }) => id))
      await quiet.wait(delivered.splice(0), played.customerId)
      events = await taken()
      if (events.length === 0) return
    }
  }

  for (const { step, delivery, needsAll, isAnswered } of history.steps) {
    // One after the other: that is what a history is.
    if (needsAll) await settle()
    await take(step)
    if (isAnswered) await settle()
    else {
      const events = await taken()
      if (delivery === 'now') {
        await deliver(events, processes, random)
        delivered.push(...events.map(({ id }) => id))
      } else (delivery === 'late' ? played.late : lost).push(...events)
    }
  }
  return played
}
