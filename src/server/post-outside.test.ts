import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSocketServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { type Outside, postOutside } from './post-outside.ts'
import { privateNetwork } from './public-address.ts'

const servers: { close(): unknown }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections()
    server.close()
  }
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const post = (address: string, outside: Outside = { allowPrivate: true }) =>
  postOutside(
    address,
    { headers: { 'content-type': 'application/json' }, body: '{"a":"é"}' },
    outside,
  )

describe('what is answered', () => {
  test('is kept with its status, and what was sent arrived', async () => {
    const got: unknown[] = []
    const address = await serve(async (request, response) => {
      const body = await text(request)
      got.push(request.method, request.headers['content-length'], body)
      response.writeHead(503).end('not now')
    })
    const outcome = await post(address)
    expect(outcome).toMatchObject({ status: 503, answer: 'not now', problem: null })
    expect(outcome.milliseconds).toBeGreaterThanOrEqual(0)
    expect(got).toEqual(['POST', '10', '{"a":"é"}'])
  })

  test('is read up to a bound, and kept up to a smaller one, without what cannot be stored', async () => {
    let sent = 0
    const address = await serve((_request, response) => {
      response.on('error', () => {})
      const more = () => {
        while (!response.destroyed && sent < 50_000_000) {
          sent += 10_000
          if (!response.write(`a\0${'b'.repeat(9998)}`)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    })
    const { status, answer } = await post(address)
    expect(status).toBe(200)
    expect(answer).toBe(`a${'b'.repeat(2046)}`)
    expect(sent).toBeLessThan(20_000_000)
  })

  test('a redirect is an answer, and nobody follows it', async () => {
    let followed = false
    const elsewhere = await serve((_request, response) => {
      followed = true
      response.end()
    })
    const address = await serve((_request, response) =>
      response.writeHead(307, { location: elsewhere }).end(),
    )
    expect((await post(address)).status).toBe(307)
    expect(followed).toBe(false)
  })
})

describe('another protocol', () => {
  test('is an answer by its status, and holds nobody up', async () => {
    const talks = createSocketServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        ),
      )
    }).listen(0, '127.0.0.1')
    servers.push(talks)
    await new Promise((resolve) => talks.once('listening', resolve))
    const { port } = talks.address() as AddressInfo
    const outcome = await post(`http://127.0.0.1:${port}/`, { allowPrivate: true, timeout: 50_000 })
    expect(outcome).toMatchObject({ status: 101, answer: '', problem: null })
  })
})

describe('no answer', () => {
  test('in time is a problem in words, whether nothing comes or it never ends', async () => {
    const silent = await serve(() => {})
    const endless = await serve((_request, response) => {
      response.write('on and on')
    })
    const short = { allowPrivate: true, timeout: 100 }
    for (const address of [silent, endless]) {
      const outcome = await post(address, short)
      expect(outcome).toMatchObject({
        status: null,
        problem: 'No whole answer within 0.1 seconds',
      })
    }
  })

  test('a name server that is silent holds nothing up either', async () => {
    const outcome = await post('https://example.com/', {
      allowPrivate: false,
      timeout: 100,
      resolve: () => new Promise(() => {}),
    })
    expect(outcome.problem).toBe('No whole answer within 0.1 seconds')
  })

  test('from a server that is not there, that hangs up, or that speaks something else', async () => {
    const closed = await serve(() => {})
    await new Promise((resolve) => (servers.pop() as Server).close(resolve))
    expect((await post(closed)).problem).toBe('The server refused the connection')
    const hangsUp = await serve((request) => request.socket.destroy())
    expect((await post(hangsUp)).problem).toBe('The server ended the connection without an answer')
    const strange = createSocketServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0)
    servers.push(strange)
    await new Promise((resolve) => strange.once('listening', resolve))
    const { port } = strange.address() as AddressInfo
    expect((await post(`http://127.0.0.1:${port}/`)).problem).toContain('no HTTP')
    expect((await post(`https://127.0.0.1:${port}/`)).problem).toContain('not secure')
  })
})

describe('a private network', () => {
  /** Says where it was asked to lead; a connection that was made would be refused or reset, in other words. */
  const leadingTo = (...addresses: string[]): Outside => ({
    allowPrivate: false,
    resolve: async () => addresses,
  })

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['93.184.215.14', '127.0.0.1'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'fd00::1'],
  ])('is not reached by a name that leads to %s', async (...addresses) => {
    const outcome = await post('https://looks-public.example/', leadingTo(...addresses))
    expect(outcome).toMatchObject({ status: null, problem: privateNetwork })
  })

  test('is not reached by a name that led elsewhere when it was looked at before', async () => {
    let asked = 0
    const rebinding: Outside = {
      allowPrivate: false,
      resolve: async () => (asked++ === 0 ? ['2fff:ffff::1'] : ['127.0.0.1']),
      timeout: 1000,
    }
    // Public the first time (and nobody's): what is asked once is what is connected to.
    await post('https://rebinds.example/', rebinding)
    expect(asked).toBe(1)
    expect((await post('https://rebinds.example/', rebinding)).problem).toBe(privateNetwork)
    expect(asked).toBe(2)
  })

  test('is not reached by an address in numbers, which nobody looks up', async () => {
    const nobodyAsks: Outside = { allowPrivate: false, resolve: () => Promise.reject(new Error()) }
    for (const address of [
      'https://127.0.0.1/',
      'https://[::ffff:7f00:1]/',
      'https://2130706433/',
    ]) {
      expect((await post(address, nobodyAsks)).problem).toBe(privateNetwork)
    }
  })

  test('is not reached by http, as it is nowhere', async () => {
    const address = await serve((_request, response) => response.end())
    expect((await post(address, { allowPrivate: false })).problem).toContain('https://')
  })
})
