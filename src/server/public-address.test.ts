import { describe, expect, test } from 'vitest'
import { addressProblem, isPublicAddress, privateNetwork } from './public-address.ts'

describe('an IP address', () => {
  test.each([
    ['93.184.215.14', 'an ordinary one'],
    ['8.8.8.8', 'an ordinary one'],
    ['100.63.255.255', 'before the range of carriers'],
    ['100.128.0.0', 'behind it'],
    ['172.15.255.255', 'before a private range'],
    ['172.32.0.1', 'behind it'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'an ordinary one'],
    ['2a00:1450:4001:82f::200e', 'an ordinary one'],
  ])('%s is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    ['0.0.0.0', 'this host'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'of carriers'],
    ['100.100.100.200', 'the secrets of a cloud'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'the host below a cloud machine'],
    ['169.254.169.254', 'the secrets of a cloud'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'the secrets of a cloud'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relays'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarks'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.9', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.250', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'nothing'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback, written out'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:7f00:1', 'IPv4-mapped, in hexadecimal'],
    ['::ffff:8.8.8.8', 'IPv4-mapped, whatever is in it'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::a00:1', 'local NAT64'],
    ['100::1', 'discarded'],
    ['2001::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4 of loopback'],
    ['2002:a9fe:a9fe::', '6to4 of the secrets of a cloud'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'the secrets of a cloud'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local, with its link'],
    ['2606:2800::1%eth0', 'a link'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['localhost', 'a name'],
    ['', 'nothing'],
    ['127.1', 'no whole address'],
    ['0x7f.0.0.1', 'no address for a socket'],
  ])('%s is not: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('an address that somebody typed', () => {
  const problemOf = (address: string) => addressProblem(address, { allowPrivate: false })

  test.each([
    'https://example.com',
    'https://example.com/webhooks?for=thunder#part',
    'https://example.com:443/',
    'https://example.com:8443/hook',
    'https://example.com./hook',
    'https://bücher.example/hook',
    'https://93.184.215.14/hook',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook',
  ])('%s is fine', (address) => {
    expect(problemOf(address)).toBeNull()
  })

  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0300.0250.1.1/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xA9FEA9FE/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[0:0:0:0:0:ffff:7f00:0001]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://ⓛocalhost/',
    'https://thunder.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://db/',
    'https:127.0.0.1',
    'https:\\\\127.0.0.1\\',
    ' https://127.0.0.1 ',
    'https://12\t7.0.0.1/',
  ])('%s leads into a private network', (address) => {
    expect(problemOf(address)).toBe(privateNetwork)
  })

  test.each([
    ['http://example.com/', 'https://'],
    ['ftp://example.com/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'https://'],
    ['data:text/plain,hello', 'https://'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:6379/', 'port'],
    ['https://example.com:80/', 'port'],
    ['https://user@example.com/', 'user name'],
    ['https://user:password@example.com/', 'user name'],
    ['https://example.com@127.0.0.1/', 'user name'],
    ['https://example.com\\@127.0.0.1/', null],
    ['example.com', 'not an address'],
    ['https://', 'not an address'],
    ['https://[fe80::1%25eth0]/', 'not an address'],
    ['https://example.com:99999/', 'not an address'],
    ['https://0x7f.0.0.0.0.1/', 'not an address'],
    ['', 'not an address'],
  ])('%s is refused in words', (address, word) => {
    // A backslash ends the host, as browsers read it: this one leads to example.com.
    if (word === null) return expect(new URL(address).hostname).toBe('example.com')
    expect(problemOf(address)).toContain(word)
  })

  test('where private networks are allowed, so is http and every port, and nothing else', () => {
    const here = (address: string) => addressProblem(address, { allowPrivate: true })
    expect(here('http://127.0.0.1:4711/hook')).toBeNull()
    expect(here('https://localhost/hook')).toBeNull()
    expect(here('ftp://localhost/hook')).toContain('https://')
    expect(here('http://user:password@localhost/')).toContain('user name')
  })
})
