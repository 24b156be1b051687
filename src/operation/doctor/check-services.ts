// What is elsewhere: the address that people use, the mail server, the payment provider.
import { createTransport } from 'nodemailer'
import Stripe from 'stripe'
import { defaultBrand } from '../../domains/site/brand.ts'
import { type Config, nobodysSender } from '../../server/config.ts'
import { found, type Finding, note, well, wrong } from './finding.ts'

/** Milliseconds for an answer of somebody else. */
const patience = 10_000

const isPublic = ({ appUrl }: Config) =>
  !['localhost', '127.0.0.1', '[::1]'].includes(new URL(appUrl).hostname)

async function address(config: Config): Promise<Finding[]> {
  const { appUrl } = config
  const findings: Finding[] = []
  if (isPublic(config) && appUrl.startsWith('http:')) {
    findings.push(
      wrong('address', `${appUrl} is not encrypted.`, 'Set APP_URL to an https: address.'),
    )
  }
  const answer = await fetch(`${appUrl}/healthz`, { signal: AbortSignal.timeout(patience) })
  const { status } = answer
  const isReady = answer.ok && (await answer.text()).includes('ready')
  findings.push(
    isReady
      ? well('address', `${appUrl} answers.`)
      : wrong('address', `${appUrl}/healthz answers ${status}.`, 'Look at the log, and the proxy.'),
  )
  return findings
}

async function mail(config: Config): Promise<Finding> {
  const { smtpUrl } = config
  const todo = 'Set SMTP_URL.'
  if (!smtpUrl) {
    const say = isPublic(config) ? wrong : note
    return say('mail', 'There is no mail server: mails are caught and shown at /outbox.', todo)
  }
  const transport = createTransport({ url: smtpUrl, connectionTimeout: patience })
  try {
    // Connects, greets, encrypts and logs in; sends nothing.
    await transport.verify()
  } finally {
    transport.close()
  }
  return well('mail', `${new URL(smtpUrl).host} takes mails from us.`)
}

/** What was not set and is only for trials, once mails leave this machine. */
function addressesOfNobody({ smtpUrl, mailFrom, brand: { supportEmail } }: Config): Finding[] {
  const findings: Finding[] = []
  if (!smtpUrl) return findings
  if (mailFrom.includes(nobodysSender)) {
    const from = `Mails come from ${nobodysSender}, which nobody has.`
    findings.push(
      wrong('sender', from, 'Set MAIL_FROM to a sender for which your mail server may send.'),
    )
  }
  if (supportEmail === defaultBrand.supportEmail) {
    const to = `People are asked to write to ${supportEmail}, which nobody has.`
    findings.push(note('support', to, 'Set SUPPORT_EMAIL to an address that somebody reads.'))
  }
  return findings
}

export async function checkPayments(
  config: Config,
  open = (key: string) => new Stripe(key, { timeout: patience, telemetry: false }),
): Promise<Finding[]> {
  const { secretKey, webhookSecrets } = config.stripe
  if (!secretKey) {
    const say = isPublic(config) ? wrong : note
    const said = 'They are made in the sandbox, where no money moves: there is no Stripe key.'
    return [say('payments', said, 'Set STRIPE_SECRET_KEY.')]
  }
  const { livemode, available, pending } = await open(secretKey).balance.retrieve()
  const isLive = secretKey.includes('_live_')
  const findings = [
    livemode === isLive
      ? well('payments', `Stripe takes the key (${isLive ? 'live' : 'test'} mode).`)
      : wrong('payments', 'The key is of another mode than Stripe says.', 'Look at the key.'),
  ]
  const settled = new Set([...available, ...pending].map(({ currency }) => currency))
  if (!settled.has('usd')) {
    findings.push(
      wrong(
        'payments',
        `The Stripe account settles in ${[...settled].join(', ').toUpperCase()}, not in US dollars: fees of disputes are booked in the wrong currency.`,
        'Add a bank account in US dollars to it: see “Payments” in operations.md.',
      ),
    )
  }
  if (webhookSecrets.length === 0) {
    findings.push(
      wrong(
        'payments',
        'No webhook of Stripe is believed: payments are found once a minute only.',
        'Set STRIPE_WEBHOOK_SECRET, of each of the two endpoints: see “Payments” in operations.md.',
      ),
    )
  }
  if (isPublic(config) && !isLive) {
    findings.push(note('payments', 'No money moves: the key is of the test mode.'))
  }
  return findings
}

export async function checkServices(config: Config): Promise<Finding[]> {
  const findings = await Promise.all([
    found('address', 'Start Thunder, and look at APP_URL and the proxy.', () => address(config)),
    found('mail', 'Look at SMTP_URL and at the mail server.', () => mail(config)),
    found('payments', 'Look at STRIPE_SECRET_KEY, and at status.stripe.com.', () =>
      checkPayments(config),
    ),
  ])
  return [...findings.flat(), ...addressesOfNobody(config)]
}
