import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { localAddress } from './local-address.ts'

test.each([
  ['all addresses', undefined, 'localhost'],
  ['all of IPv4', '0.0.0.0', 'localhost'],
  ['all of IPv6', '::', 'localhost'],
  ['a name', 'localhost', '127.0.0.1'],
  ['one address', '127.0.0.2', '127.0.0.2'],
])('a server that listens on %s is reached', async (_, host, name) => {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const at = server.address() as AddressInfo
  server.close()
  expect(localAddress(at)).toBe(`http://${name}:${at.port}`)
})

test('an address of IPv6 stands in brackets', () => {
  expect(localAddress({ address: '2001:db8::1', port: 3000 })).toBe('http://[2001:db8::1]:3000')
})
