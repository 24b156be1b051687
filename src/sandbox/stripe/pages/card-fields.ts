import { html } from 'hono/html'
import type { CardErrors, CardForm } from '../read-card.ts'
import { testCards } from '../test-cards.ts'
import type { Html } from './layout.ts'

interface Field {
  name: keyof CardForm
  label: string
  autocomplete: string
  inputmode?: string
  placeholder?: string
}

const number: Field = {
  name: 'number',
  label: 'Card number',
  autocomplete: 'cc-number',
  inputmode: 'numeric',
  placeholder: '1234 1234 1234 1234',
}
const expiry: Field = {
  name: 'expiry',
  label: 'Expiry (MM/YY)',
  autocomplete: 'cc-exp',
  inputmode: 'numeric',
  placeholder: 'MM/YY',
}
const cvc: Field = {
  name: 'cvc',
  label: 'Security code (CVC)',
  autocomplete: 'cc-csc',
  inputmode: 'numeric',
  placeholder: '123',
}
const holder: Field = { name: 'name', label: 'Name on card', autocomplete: 'cc-name' }
const email: Field = { name: 'email', label: 'Email', autocomplete: 'email', inputmode: 'email' }

function input(field: Field, form: CardForm, errors: CardErrors): Html {
  const { name, label, autocomplete, inputmode = 'text', placeholder = '' } = field
  const error = errors[name]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      autocomplete="${autocomplete}"
      inputmode="${inputmode}"
      placeholder="${placeholder}"
      value="${form[name]}"
      maxlength="200"
      ${error ? html`aria-invalid="true" aria-describedby="${name}-error"` : ''}
    />
    ${error ? html`<p class="error" id="${name}-error">${error}</p>` : ''}
  </div>`
}

const inFours = (digits: string) => digits.replaceAll(/(.{4})(?=.)/g, '$1 ')

/** What a card is asked for with; a chosen test card needs nothing typed. */
export function cardFields(form: CardForm, errors: CardErrors, asksEmail: boolean): Html {
  return html`
    ${asksEmail ? input(email, form, errors) : ''} ${input(number, form, errors)}
    <div class="pair">${input(expiry, form, errors)}${input(cvc, form, errors)}</div>
    ${input(holder, form, errors)}
    <details>
      <summary>Test cards</summary>
      <fieldset>
        <legend>Use</legend>
        <label class="choice"
          ><input type="radio" name="card" value="" checked />
          <span>the card number above</span></label
        >
        ${testCards.map(
          (card) =>
            html`<label class="choice"
              ><input type="radio" name="card" value="${card.number}" />
              <span><code>${inFours(card.number)}</code> ${card.label}</span></label
            >`,
        )}
      </fieldset>
      <p class="quiet">With the card number above: any future date and any security code.</p>
    </details>
  `
}

/** From what a browser sent. A test card that was chosen counts for more than what was typed. */
export function cardForm(sent: FormData): CardForm {
  const text = (name: string) => {
    const value = sent.get(name)
    return typeof value === 'string' ? value : ''
  }
  const chosen = text('card')
  return {
    email: text('email'),
    number: chosen || text('number'),
    expiry: text('expiry') || (chosen ? '12/34' : ''),
    cvc: text('cvc') || (chosen ? '123' : ''),
    name: text('name') || (chosen ? 'Test Person' : ''),
  }
}

export const emptyCard: CardForm = { email: '', number: '', expiry: '', cvc: '', name: '' }
