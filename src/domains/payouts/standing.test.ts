import { describe, expect, test } from 'vitest'
import { standingOf, type ConnectedState } from './standing.ts'

const bank = { method: 'bank_account', problem: null } as const
const account = (changes: Partial<ConnectedState> = {}): ConnectedState => ({
  detailsSubmitted: true,
  payoutsEnabled: true,
  disabledReason: null,
  currentlyDue: [],
  ...changes,
})
const off = (disabledReason: string | null, currentlyDue: string[] = []) =>
  standingOf(bank, account({ payoutsEnabled: false, disabledReason, currentlyDue }))

describe('whether somebody can be paid', () => {
  test('nothing set up, PayPal, a working account: nothing to explain', () => {
    expect(standingOf(null, account())).toEqual({ standing: 'not_connected', explanation: '' })
    expect(standingOf({ method: 'paypal', problem: null }, null).standing).toBe('ready')
    expect(standingOf(bank, account())).toEqual({ standing: 'ready', explanation: '' })
  })

  test('what is asked for later does not stop payouts now', () => {
    const soon = account({ currentlyDue: ['individual.id_number'] })
    expect(standingOf(bank, soon).standing).toBe('ready')
  })

  test('a payout that came back stops everything, also with PayPal', () => {
    const problem = 'Your bank knows no such account.'
    expect(standingOf({ ...bank, problem }, account())).toEqual({
      standing: 'failed',
      explanation: problem,
    })
    expect(standingOf({ method: 'paypal', problem }, null).standing).toBe('failed')
  })

  test('what is asked for is said in words, each once', () => {
    const due = [
      'individual.first_name',
      'individual.last_name',
      'individual.dob.day',
      'individual.dob.month',
      'tos_acceptance',
      'something.new',
    ]
    const { standing, explanation } = off('requirements.past_due', due)
    expect(standing).toBe('information_needed')
    expect(explanation).toBe(
      'Stripe, which pays you out, still needs your name, your date of birth, and your agreement to its terms. Your earnings stay in your balance until then.',
    )
    expect(off(null, ['something.new']).explanation).toContain('still needs more details.')
    const unsaid = {
      standing: 'information_needed',
      explanation:
        'Stripe, which pays you out, needs to know more about you. Your earnings stay in your balance until then.',
    }
    expect(off('requirements.past_due')).toEqual(unsaid)
    expect(standingOf(bank, null)).toEqual(unsaid)
  })

  test.each([
    ['individual.verification.document', 'a photo of a document'],
    ['external_account', 'a bank account or debit card'],
    ['company.tax_id', 'your tax number'],
    ['company.address.line1', 'your address'],
    ['individual.ssn_last_4', 'your tax number'],
    ['person_123.relationship.owner', 'who stands behind your business'],
    ['business_profile.mcc', 'details of your business'],
    ['individual.phone', 'how to reach you'],
    ['person_123.verification.document', 'a photo of a document'],
    ['individual.dob', 'your date of birth'],
    ['individual.address', 'your address'],
    // A word has to stand where it means that.
    ['company.external_account', 'details of your business'],
    ['company.tos_acceptance', 'details of your business'],
    ['settings.individual.verification.document', 'more details'],
    ['individual.first_name_kana', 'more details'],
    ['individual.email_verified', 'more details'],
    ['settings.company', 'more details'],
    ['settings.owners', 'more details'],
  ])('%s is %s', (due, words) => {
    expect(off('requirements.past_due', [due]).explanation).toContain(`still needs ${words}.`)
  })

  test.each([
    ['rejected.fraud', 'rejected'],
    ['rejected.terms_of_service', 'rejected'],
    ['platform_paused', 'paused'],
    ['other', 'paused'],
    ['listed', 'under_review'],
    ['under_review', 'under_review'],
    ['requirements.pending_verification', 'under_review'],
    [null, 'under_review'],
  ] as const)('%s: %s', (reason, standing) => {
    expect(off(reason).standing).toBe(standing)
    expect(off(reason).explanation).not.toBe('')
  })

  test.each(['listed', 'under_review', 'requirements.pending_verification'])(
    '%s: what is asked for besides can wait',
    (reason) => {
      expect(off(reason, ['individual.id_number']).standing).toBe('under_review')
    },
  )

  test('a rejected account stays rejected, whatever else it says', () => {
    const odd = account({ disabledReason: 'rejected.fraud', payoutsEnabled: true })
    expect(standingOf(bank, odd).standing).toBe('rejected')
  })

  test('nothing told yet: information is needed', () => {
    const fresh = account({ detailsSubmitted: false, payoutsEnabled: false })
    expect(standingOf(bank, fresh).standing).toBe('information_needed')
    expect(standingOf(bank, null).standing).toBe('information_needed')
  })
})
