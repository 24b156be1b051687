// The payment provider: Stripe, with real keys or as our sandbox. Everything else sees its SDK only.
import Stripe from 'stripe'
import type { StripeSandbox } from '../sandbox/stripe/sandbox.ts'
import type { Config } from './config.ts'

/** With the provider's test keys and with the sandbox no money moves. */
export type PaymentMode = 'sandbox' | 'test' | 'live'

export interface PaymentProvider {
  stripe: Stripe
  mode: PaymentMode
  /** One of each endpoint. Without any the reconciler alone brings what happened. */
  webhookSecrets: readonly string[]
  sandbox: StripeSandbox | null
  /**
   * Where browsers give numbers of accounts and cards for a token, without us in between; null when only the
   * provider's own pages may ask for them.
   */
  tokens: { url: string; publishableKey: string } | null
}

/** Where browsers get tokens with a key of Stripe's. */
const stripeTokens = 'https://api.stripe.com/v1/tokens'

/** Milliseconds that the provider has for an answer (spec 1, section 9). */
const patience = 10_000

// Repeating is left to who asked, and to jobs: both know the idempotency key.
const options = { timeout: patience, maxNetworkRetries: 0, telemetry: false }

export function paymentModeOf({ stripe: { secretKey } }: Pick<Config, 'stripe'>): PaymentMode {
  if (!secretKey) return 'sandbox'
  return secretKey.includes('_live_') ? 'live' : 'test'
}

/** @throws never: whether the provider answers is found out when it is asked. */
export async function openPayments(
  config: Pick<Config, 'stripe'>,
  startSandbox: () => Promise<StripeSandbox>,
): Promise<PaymentProvider> {
  const { secretKey, publishableKey, webhookSecrets } = config.stripe
  if (secretKey) {
    return {
      stripe: new Stripe(secretKey, options),
      mode: paymentModeOf(config),
      webhookSecrets,
      sandbox: null,
      tokens: publishableKey ? { url: stripeTokens, publishableKey } : null,
    }
  }
  const sandbox = await startSandbox()
  const { host, port } = sandbox
  return {
    stripe: new Stripe(sandbox.secretKey, { ...options, host, port, protocol: 'http' }),
    mode: 'sandbox',
    webhookSecrets: [sandbox.webhookSecret],
    sandbox,
    tokens: { url: '/sandbox/stripe/v1/tokens', publishableKey: sandbox.publishableKey },
  }
}
