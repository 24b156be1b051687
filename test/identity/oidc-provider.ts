// A real OpenID Connect provider on loopback (the certified `oidc-provider`), and a browser to visit it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'
import Provider, { type Context } from 'oidc-provider'
import { openJar } from './cookie-jar.ts'

/** Somebody with an account at the provider, in its claims. */
export interface ProviderPerson {
  sub: string
  email?: unknown
  email_verified?: unknown
  name?: unknown
  picture?: unknown
}

export interface TokenFacts {
  claims: Record<string, unknown>
  audience?: string
  issuer?: string
  /** Seconds from now. */
  expiresIn?: number
  key?: CryptoKey
}

export interface OidcProvider {
  issuer: string
  discoveryUrl: string
  clientId: string
  clientSecret: string
  /** Who logs in at the provider next; null refuses. */
  person: ProviderPerson | null
  /** Follows an authorize URL as a browser would; answers the address that leads back to the app. */
  visit(authorizeUrl: string): Promise<URL>
  /** An ID token; signed with the provider's key unless told otherwise. */
  idToken(facts: TokenFacts): Promise<string>
  stop(): Promise<void>
}

const algorithm = 'RS256'
const keyId = 'provider-key'

export async function startOidcProvider(options: {
  /** Addresses of the app to which people may be sent back. */
  redirectUris: string[]
  /** Providers put a person's claims into the ID token, or answer them at /userinfo only. */
  claimsIn?: 'id-token' | 'userinfo'
  /** How the app proves who it is when it redeems a code. */
  clientAuthentication?: 'client_secret_basic' | 'client_secret_post'
}): Promise<OidcProvider> {
  const clientId = 'thunder'
  const clientSecret = 'a secret of thunder and the provider'
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid: keyId }
  const people = new Map<string, ProviderPerson>()

  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: options.redirectUris,
        token_endpoint_auth_method: options.clientAuthentication ?? 'client_secret_basic',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key for the cookies of the provider'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture'],
    },
    conformIdTokenClaims: options.claimsIn === 'userinfo',
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => people.get(sub),
    }),
    interactions: { url: () => '/log-in' },
    // The person has agreed to everything beforehand.
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()

  const self: OidcProvider = {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    person: null,
    async visit(authorizeUrl) {
      const jar = openJar()
      let url = new URL(authorizeUrl)
      for (let hops = 0; hops < 10 && url.origin === issuer; hops++) {
        const response = await fetch(url, {
          headers: { cookie: jar.header() },
          redirect: 'manual',
        })
        jar.keep(response.headers)
        const location = response.headers.get('location')
        if (!location) throw new Error(`the provider said: ${await response.text()}`)
        url = new URL(location, url)
      }
      return url
    },
    async idToken({ claims, audience, issuer: by, expiresIn = 300, key: other }) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid: keyId })
        .setIssuer(by ?? issuer)
        .setAudience(audience ?? clientId)
        .setIssuedAt(now + Math.min(0, expiresIn - 60))
        .setExpirationTime(now + expiresIn)
        .sign(other ?? privateKey)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/log-in')) {
      void answer(request, response)
      return
    }
    const { person } = self
    if (person) people.set(person.sub, person)
    void provider.interactionFinished(
      request,
      response,
      person ? { login: { accountId: person.sub } } : { error: 'access_denied' },
      { mergeWithLastSubmission: false },
    )
  })
  return self
}
