// The operator's page of the PayPal sandbox: what was sent, and what people and bad days do to it.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { html } from 'hono/html'
import { inMoney, layout, message, onDay, type Html } from '../stripe/pages/layout.ts'
import { newestBatches, settleBatch, type Batch } from './batches.ts'
import { tags } from './outcome.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'
import { readSwitches, setSwitches, type Switches } from './switches.ts'

const place = '/sandbox/paypal/dashboard'

/** What can be done to a batch that waits. */
const ends = {
  complete: { status: 'SUCCESS', problem: null, label: 'Let it arrive', done: 'It has arrived.' },
  return: { status: 'RETURNED', problem: null, label: 'Let it come back', done: 'It came back.' },
  block: {
    status: 'BLOCKED',
    problem: 'REGULATORY_BLOCKED',
    label: 'Block it',
    done: 'It is blocked.',
  },
} as const

const isEnd = (action: string): action is keyof typeof ends => Object.hasOwn(ends, action)

const waits = ({ items }: Batch) =>
  items.some(({ status }) => status === 'PENDING' || status === 'UNCLAIMED' || status === 'ONHOLD')

const batchItem = (batch: Batch): Html =>
  html`<li>
    ${batch.items.map(
      ({ sent, status, problem }) =>
        html`<p>
          <strong>${inMoney(Math.round(Number(sent.amount.value) * 100), 'USD')}</strong> ·
          ${status} · ${sent.receiver} · ${onDay(new Date(batch.created_at).getTime() / 1000)}<br />
          <code>${batch.id}</code> ${problem ?? ''}
        </p>`,
    )}
    ${
      waits(batch)
        ? html`<div class="row">
            ${Object.entries(ends).map(
              ([action, { label }]) =>
                html`<form method="post" action="${place}/${action}">
                  <input type="hidden" name="id" value="${batch.id}" />
                  <button aria-label="${label}: ${batch.id}">${label}</button>
                </form>`,
            )}
          </div>`
        : ''
    }
  </li>`

const choice = (name: string, label: string, isOn: boolean) =>
  html`<label class="choice"
    ><input type="checkbox" name="${name}" ${isOn ? 'checked' : ''} /> <span>${label}</span></label
  >`

const number = (name: string, label: string, value: number) =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" inputmode="numeric" value="${String(value)}" />
  </div>`

const switchForm = (switches: Switches) =>
  html`<form class="card" method="post" action="${place}/switches">
    <h2>Bad days</h2>
    ${number('apiDelayMs', 'The API answers later, by milliseconds', switches.apiDelayMs)}
    ${number('apiStatus', 'The API answers with status (0: it works)', switches.apiStatus)}
    ${choice('losesAnswers', 'The API does it and answers 500', switches.losesAnswers)}
    ${choice('isEmpty', 'Our account has no money', switches.isEmpty)}
    <button class="main">Set the switches</button>
  </form>`

const page = (batches: Batch[], switches: Switches, done: string | null) =>
  layout({
    title: 'PayPal sandbox',
    isWide: true,
    body: html`
      <h1>PayPal sandbox</h1>
      <p class="quiet">
        What PayPal would show: the newest 25 payouts. Each arrives when it is looked at for the
        second time, unless the address says otherwise: ${tags.map((tag) => `+${tag}`).join(', ')}.
      </p>
      ${done ? html`<p class="card" role="status">${done}</p>` : ''}
      <div class="columns">
        <section>
          <h2>Payouts</h2>
          ${
            batches.length === 0
              ? html`<p class="quiet">None yet.</p>`
              : html`<ul class="plain">
                  ${batches.map(batchItem)}
                </ul>`
          }
        </section>
        ${switchForm(switches)}
      </div>
    `,
  })

function readNumber(text: string, most: number): number {
  const value = Number(text || '0')
  if (Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new Refusal(400, 'VALIDATION_ERROR', `Write a whole number from 0 to ${most}.`)
}

export function createDashboard({ store, appUrl }: { store: Store; appUrl: string }) {
  const app = new Hono().basePath('/sandbox/paypal')
  const { hostname } = new URL(appUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const nothingHere = () => message('Nothing here', 'There is nothing at this address.')
  app.use(async (context, next) => {
    // Never where the public could reach it; that the visitor is at this machine, the app has seen to.
    if (!isLocal) return context.html(nothingHere(), 404)
    await next()
    context.header('cache-control', 'no-store')
    return undefined
  })
  app.use(bodyLimit({ maxSize: 16 * 1024 }))
  app.onError((error, context) => {
    if (!(error instanceof Refusal)) throw error
    return context.html(message('That did not work', error.message), 400)
  })
  app.notFound((context) => context.html(nothingHere(), 404))

  app.get('/dashboard', async (context) => {
    const action = context.req.query('done') ?? ''
    const done = isEnd(action)
      ? ends[action].done
      : action === 'switches'
        ? 'The switches are set.'
        : null
    return context.html(page(await newestBatches(store), await readSwitches(store), done))
  })
  app.post('/dashboard/:action', async (context) => {
    const action = context.req.param('action')
    const sent = await context.req.formData()
    const text = (name: string) => {
      const value = sent.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    if (isEnd(action)) {
      const { status, problem } = ends[action]
      await settleBatch(store, text('id'), status, problem)
    } else if (action === 'switches') {
      await setSwitches(store, {
        apiDelayMs: readNumber(text('apiDelayMs'), 120_000),
        apiStatus: readNumber(text('apiStatus'), 599),
        losesAnswers: text('losesAnswers') === 'on',
        isEmpty: text('isEmpty') === 'on',
      })
    } else {
      throw new Refusal(400, 'VALIDATION_ERROR', 'There is no such action.')
    }
    return context.redirect(`${place}?done=${action}`, 303)
  })
  return async (request: Request) => app.fetch(request)
}
