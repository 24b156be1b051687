// What somebody who is paid out sees of the provider: a form for what is still missing.
import { Hono, type Context } from 'hono'
import { message } from '../pages/layout.ts'
import { settledPage, setupPage, type SetupErrors, type SetupForm } from '../pages/setup-page.ts'
import { Refusal } from '../refusal.ts'
import { wallSeconds, type Store, type Stored, type Unit } from '../store.ts'
import { addExternal } from './external-accounts.ts'
import { askedOf, settleAccount, tell, type Account, type Asked } from './requirements.ts'
import { createToken } from './tokens.ts'

interface Link extends Stored {
  account: string
  expires_at: number
  refresh_url: string
  return_url: string
}

async function openLink(unit: Unit, accountId: string, id: string) {
  const link = await unit.get<Link>(id)
  if (link?.object !== 'sandbox.account_link' || link.account !== accountId) return null
  const account = await unit.get<Account>(accountId)
  if (!account || 'deleted' in account) return null
  return { link, account, asked: askedOf(account) }
}

const youngest = 13

function readDay(text: string): { day: number; month: number; year: number } | null {
  const at = new Date(`${text}T00:00:00Z`)
  const years = new Date().getUTCFullYear() - at.getUTCFullYear()
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && at.toJSON()?.slice(0, 10) === text
  if (!isDay || years < youngest || years > 120) return null
  return { day: at.getUTCDate(), month: at.getUTCMonth() + 1, year: at.getUTCFullYear() }
}

function check(form: SetupForm, asked: ReadonlySet<Asked>): SetupErrors {
  const errors: SetupErrors = {}
  if (asked.has('company') && !form.company) errors.company = 'Write the name of the company.'
  if (asked.has('firstName') && !form.firstName) errors.firstName = 'Write your first name.'
  if (asked.has('lastName') && !form.lastName) errors.lastName = 'Write your last name.'
  if (asked.has('dob') && !readDay(form.dob)) {
    errors.dob = `Write your date of birth. You have to be at least ${youngest}.`
  }
  if (asked.has('hasDocument') && !form.hasDocument) errors.hasDocument = 'A document is needed.'
  return errors
}

/** Null when the bank account was taken; else what is wrong with it. */
async function addBank(unit: Unit, account: Account, form: SetupForm): Promise<SetupErrors | null> {
  try {
    const token = createToken(unit, {
      bank_account: {
        country: 'US',
        currency: 'usd',
        routing_number: form.routing,
        account_number: form.number,
      },
    })
    await addExternal(unit, account, token.id, 'replacement')
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const isRouting = error.answer.code === 'routing_number_invalid'
    return { [isRouting ? 'routing' : 'number']: error.message }
  }
}

/** The bank of Stripe's test accounts. */
const suggested: SetupForm = {
  company: '',
  firstName: '',
  lastName: '',
  dob: '',
  routing: '110000000',
  number: '000123456789',
  hasDocument: '',
}

function readForm(sent: FormData): SetupForm {
  const text = (name: keyof SetupForm) => {
    const value = sent.get(name)
    return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim().slice(0, 200) : ''
  }
  return {
    company: text('company'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    dob: text('dob'),
    routing: text('routing'),
    number: text('number'),
    hasDocument: text('hasDocument'),
  }
}

type Open = NonNullable<Awaited<ReturnType<typeof openLink>>>

/** Links live for minutes; where they were made, a new one is. */
const isOver = ({ link }: Open) => link.expires_at < wallSeconds()

function show(context: Context, { link, account, asked }: Open) {
  const returnUrl = link.return_url
  if (account._state === 'rejected') {
    const text = 'The payment provider has rejected this account. Nothing can be changed here.'
    return context.html(settledPage(returnUrl, text))
  }
  if (asked.size === 0) {
    return context.html(settledPage(returnUrl, 'The payment provider knows all that it needs.'))
  }
  return context.html(setupPage({ returnUrl, asked, form: suggested, errors: {} }))
}

export function onboarding(store: Store) {
  const app = new Hono()
  const gone = (context: Context) =>
    context.html(message('Nothing here', 'This address leads nowhere, or no longer.'), 404)

  app.get('/setup/:account', async (context) => {
    const id = context.req.query('link') ?? ''
    const open = await store.look((unit) => openLink(unit, context.req.param('account'), id))
    if (!open) return gone(context)
    return isOver(open) ? context.redirect(open.link.refresh_url, 303) : show(context, open)
  })

  app.post('/setup/:account', async (context) => {
    const id = context.req.query('link') ?? ''
    const form = readForm(await context.req.formData())
    const done = await store.work(async (unit) => {
      const open = await openLink(unit, context.req.param('account'), id)
      if (!open || isOver(open)) return open && { ...open, errors: {} }
      const { account, asked } = open
      const errors = check(form, asked)
      const isRight = Object.keys(errors).length === 0
      const bankErrors = asked.has('bank') && isRight ? await addBank(unit, account, form) : null
      if (!isRight || bankErrors) return { ...open, errors: { ...errors, ...bankErrors } }
      if (asked.size > 0) {
        tell(
          unit,
          account,
          {
            company: asked.has('company') ? form.company : undefined,
            firstName: asked.has('firstName') ? form.firstName : undefined,
            lastName: asked.has('lastName') ? form.lastName : undefined,
            dob: asked.has('dob') ? (readDay(form.dob) ?? undefined) : undefined,
            acceptsTerms: asked.has('acceptsTerms'),
            hasDocument: asked.has('hasDocument'),
          },
          wallSeconds(),
        )
        settleAccount(unit, account)
      }
      return { ...open, errors }
    })
    if (!done) return gone(context)
    if (isOver(done)) return context.redirect(done.link.refresh_url, 303)
    const { asked, errors } = done
    const returnUrl = done.link.return_url
    return Object.keys(errors).length > 0
      ? context.html(setupPage({ returnUrl, asked, form, errors }), 422)
      : context.redirect(returnUrl, 303)
  })
  return app
}
