// What answers requests beside the contract, with what a well-meant request would say.
import { authCalls } from '../../src/server/auth/calls.ts'
import type { Target } from '../contract-inputs.ts'
import type { Attacked } from './hostile-requests.ts'

type Fields = Record<string, unknown>

interface Door {
  attacked: Attacked
  input(target: Target): Fields
}

/** What any of the calls of /auth/v1 may ask for. */
const credentials = (): Fields => ({
  name: 'Somebody',
  email: 'somebody@example.com',
  password: 'correct horse',
  newPassword: 'correct horse battery',
  currentPassword: 'correct horse',
  newEmail: 'other@example.com',
  phoneNumber: '+15551234567',
  otp: '123456',
  code: '123456',
  token: 'a'.repeat(32),
  state: 'b'.repeat(32),
  callbackURL: '/dashboard',
  errorCallbackURL: '/login',
  provider: 'google',
  providerId: 'google',
  accountId: '1',
  domain: 'school.example',
  issuer: 'https://school.example',
  oidcConfig: { clientId: 'a', clientSecret: 'b', discoveryEndpoint: 'http://127.0.0.1:1/x' },
  walletAddress: `0x${'0'.repeat(40)}`,
  message: 'localhost wants you to sign in with your Ethereum account',
  signature: `0x${'0'.repeat(130)}`,
  chainId: 1,
  response: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'e30' } },
  type: 'sign-in',
  id: '00000000-0000-0000-0000-000000000000',
  rememberMe: true,
  SAMLResponse: Buffer.from('<samlp:Response/>').toString('base64'),
  RelayState: '/dashboard',
})

const properties = (fields: Fields) =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, { type: 'string' }]))

const authDoors: Door[] = authCalls.map(({ method, path }) => ({
  attacked: {
    name: `${method} /auth/v1${path}`,
    method,
    path: `/auth/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    schema: { properties: properties(credentials()) },
    isForm: path.includes('/acs/') && method === 'POST',
  },
  // Each call with only its own fields would say "unknown field" to nothing else.
  input: credentials,
}))

const door = (
  method: string,
  path: string,
  input: (target: Target) => Fields = () => ({}),
  more: Partial<Attacked> = {},
): Door => ({ attacked: { name: `${method} ${path}`, method, path, ...more }, input })

const encoded = (text: string) => Buffer.from(text).toString('base64')
const tus = { 'tus-resumable': '1.0.0' }

export const doors: Door[] = [
  ...authDoors,
  door('GET', '/auth/v1/{anything}', () => ({ anything: 'delete-user' })),
  door('POST', '/auth/v1/{anything}', () => ({ anything: 'delete-user' })),
  door('GET', '/storage/v1/videos/{mediaId}/{token}/{file}', ({ mediaId }) => ({
    mediaId,
    token: 'abc.def',
    file: 'original',
  })),
  door('GET', '/storage/v1/videos/{mediaId}/{token}/hls/{file}', ({ mediaId }) => ({
    mediaId,
    token: 'abc.def',
    file: 'master.m3u8',
  })),
  door('GET', '/storage/v1/videos/{mediaId}/{token}/captions/{file}', ({ mediaId }) => ({
    mediaId,
    token: 'abc.def',
    file: 'en.vtt',
  })),
  door('GET', '/storage/v1/streams/{mediaId}/{token}/{file}', ({ mediaId }) => ({
    mediaId,
    token: 'abc.def',
    file: 'master.m3u8',
  })),
  door('GET', '/storage/v1/images/{mediaId}/{width}', ({ mediaId }) => ({
    mediaId,
    width: '640.webp',
  })),
  door('GET', '/storage/v1/post-images/{mediaId}/{width}', ({ mediaId }) => ({
    mediaId,
    width: '640.webp',
  })),
  door('GET', '/storage/v1/post-videos/{mediaId}/{token}/{file}', ({ mediaId }) => ({
    mediaId,
    token: 'abc.def',
    file: 'original',
  })),
  door('GET', '/storage/v1/my-data.zip'),
  door('GET', '/storage/v1/{anything}', () => ({ anything: 'x' })),
  door('POST', '/storage/v1/uploads', () => ({}), { headers: { ...tus, 'upload-length': '100' } }),
  door('POST', '/storage/v1/uploads', () => ({}), {
    name: 'POST /storage/v1/uploads with names',
    headers: {
      ...tus,
      'upload-length': '100',
      'upload-metadata': `filename ${encoded('../a\0.png')},filetype ${encoded('image/png')},purpose ${encoded('avatar')}`,
    },
  }),
  door('PATCH', '/storage/v1/uploads/{mediaId}', ({ mediaId }) => ({ mediaId }), {
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  }),
  door('HEAD', '/storage/v1/uploads/{mediaId}', ({ mediaId }) => ({ mediaId }), { headers: tus }),
  door('DELETE', '/storage/v1/uploads/{mediaId}', ({ mediaId }) => ({ mediaId }), { headers: tus }),
  door('OPTIONS', '/storage/v1/uploads', () => ({}), { headers: tus }),
  door(
    'POST',
    '/webhooks/stripe',
    () => ({ id: 'evt_1', type: 'x', created: 1, data: { object: {} } }),
    {
      headers: { 'stripe-signature': 't=1,v1=00' },
    },
  ),
  door('POST', '/webhooks/{provider}', () => ({ provider: 'paypal' })),
  door('OPTIONS', '/functions/v1/stripe-checkout'),
  door('POST', '/functions/v1/{name}', () => ({ name: 'stripe-checkout' })),
  door('GET', '/rest/v1/{anything}', () => ({ anything: 'courses' })),
  door('GET', '/realtime/v1/events', () => ({ topics: 'x', lastEventId: '1' }), {
    schema: { properties: { topics: {}, lastEventId: {}, course: {}, after: {} } },
  }),
  door('GET', '/outbox'),
  door('GET', '/outbox/mails.json'),
  door('GET', '/outbox/{id}', () => ({ id: '1' })),
  door('GET', '/certificates/{file}', ({ courseId }) => ({ file: `${courseId}.pdf` })),
  door('GET', '/certificates/{id}/{file}', ({ courseId }) => ({
    id: courseId,
    file: 'badge.json',
  })),
  door('GET', '/og/{kind}/{file}', ({ slug }) => ({ kind: 'course', file: `${slug}.png` })),
  door('GET', '/og/{file}', () => ({ file: 'home.png' })),
  door('GET', '/sitemap.xml'),
  door('GET', '/sitemaps/{file}', () => ({ file: 'courses-1.xml' })),
  door('GET', '/healthz'),
  door('GET', '/metrics'),
  door('GET', '/sw.js'),
  door('GET', '/robots.txt'),
  door('GET', '/{anything}', () => ({ anything: 'course' })),
  door('POST', '/{anything}', () => ({ anything: 'course', title: 'x' })),
]
