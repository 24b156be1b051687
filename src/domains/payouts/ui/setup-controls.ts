// The controls of the payout form by what they are about. Those of numbers have no name, so that no form post
// of a browser carries them.
import { fieldOrder, type PayoutFieldName, type PayoutFields } from './payout-fields.ts'

type Control = HTMLInputElement | HTMLSelectElement

export const controlOf = (form: HTMLFormElement, name: PayoutFieldName) =>
  name === 'method'
    ? form.querySelector<Control>('[name=method]:checked')
    : form.querySelector<Control>(`[data-field=${name}]`)

export function fieldsOf(form: HTMLFormElement): PayoutFields {
  const values = fieldOrder.map((name) => [name, controlOf(form, name)?.value ?? ''])
  return Object.fromEntries(values)
}

export function clearNumbers(form: HTMLFormElement): void {
  for (const control of form.querySelectorAll<HTMLInputElement>('input:not([name])')) {
    control.value = ''
  }
}
