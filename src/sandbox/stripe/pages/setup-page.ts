import { html } from 'hono/html'
import { brand } from '../../../domains/site/brand.ts'
import type { Asked } from '../connect/requirements.ts'
import { layout, type Html } from './layout.ts'

export interface SetupForm {
  company: string
  firstName: string
  lastName: string
  /** 1990-12-31 */
  dob: string
  routing: string
  /** Of the bank account. */
  number: string
  hasDocument: string
}

export type SetupErrors = Partial<Record<keyof SetupForm, string>>

interface SetupShown {
  returnUrl: string
  asked: ReadonlySet<Asked>
  form: SetupForm
  errors: SetupErrors
}

interface Field {
  label: string
  autocomplete?: string
  type?: string
  inputmode?: string
}

const fields: Record<Exclude<keyof SetupForm, 'hasDocument'>, Field> = {
  company: { label: 'Name of the company', autocomplete: 'organization' },
  firstName: { label: 'First name', autocomplete: 'given-name' },
  lastName: { label: 'Last name', autocomplete: 'family-name' },
  dob: { label: 'Date of birth', autocomplete: 'bday', type: 'date' },
  routing: { label: 'Routing number', inputmode: 'numeric' },
  number: { label: 'Account number', inputmode: 'numeric' },
}

function input(name: keyof typeof fields, { form, errors }: SetupShown): Html {
  const { label, autocomplete = 'off', type = 'text', inputmode = 'text' } = fields[name]
  const error = errors[name]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      inputmode="${inputmode}"
      value="${form[name]}"
      ${error ? html`aria-invalid="true" aria-describedby="${name}-error"` : ''}
    />
    ${error ? html`<p class="error" id="${name}-error">${error}</p>` : ''}
  </div>`
}

const bank = (shown: SetupShown) =>
  html`${input('routing', shown)}${input('number', shown)}
    <p class="quiet">
      Payouts to <code>000123456789</code> arrive, to <code>000111111116</code> they come back.
    </p>`

const document = ({ errors }: SetupShown) =>
  html`<div class="field">
    <label class="choice"
      ><input
        type="checkbox"
        name="hasDocument"
        ${errors.hasDocument ? html`aria-invalid="true" aria-describedby="document-error"` : ''}
      />
      <span>Send a test document that proves who you are</span></label
    >
    ${errors.hasDocument ? html`<p class="error" id="document-error">${errors.hasDocument}</p>` : ''}
  </div>`

export function setupPage(shown: SetupShown) {
  const { asked, returnUrl } = shown
  const wants = (name: Asked, part: () => Html) => (asked.has(name) ? part() : '')
  return layout({
    title: 'Get paid',
    body: html`
      <p><a href="${returnUrl}">← Back, and finish later</a></p>
      <h1>Get paid</h1>
      <p class="quiet">
        What is still missing before you can be paid. Nothing of it is checked here.
      </p>
      <form class="card" method="post">
        ${wants('company', () => input('company', shown))}
        ${wants('firstName', () => input('firstName', shown))}
        ${wants('lastName', () => input('lastName', shown))}
        ${wants('dob', () => input('dob', shown))}${wants('bank', () => bank(shown))}
        ${wants('hasDocument', () => document(shown))}
        <button class="main">Agree and submit</button>
      </form>
    `,
  })
}

/** Nothing is to be told, or nothing would help. */
export const settledPage = (returnUrl: string, text: string) =>
  layout({
    title: 'Get paid',
    body: html`<h1>Get paid</h1>
      <p>${text}</p>
      <p><a class="button" href="${returnUrl}">Back to ${brand.name}</a></p>`,
  })
