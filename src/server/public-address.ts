// Where requests may go whose address somebody typed: to the public internet, never into this machine's own network.
import { BlockList, isIP } from 'node:net'

/** What only seems public: IANA's special-purpose registries, and what clouds answer secrets at. */
const closed4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Of the public ones: Teredo and its like, documentation, 6to4 (an IPv4 address is inside), documentation. */
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

function listOf(networks: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

// One list for each family: in a common one an IPv4 address also matches what is written for IPv6.
const notPublic4 = listOf(closed4, 'ipv4')
const notPublic6 = listOf(closed6, 'ipv6')
/** Everything else of IPv6 is local, multicast, carries an IPv4 address (mapped, NAT64), or is nobody's. */
const global6 = listOf(['2000::/3'], 'ipv6')

/** Whether an IP address is somebody's on the public internet. What is no IP address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic4.check(address, 'ipv4')
  // A zone (`fe80::1%eth0`) belongs to addresses of one link.
  if (family !== 6 || address.includes('%')) return false
  return global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

const ports = ['', '443', '8443']

/** The IP address that stands in an address itself; null for a name. The parser has read decimal, octal and hex ones. */
function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) ? bare : null
}

/**
 * Why nothing is sent to this address, in words; null when its form allows it. Where its name leads is
 * another question, which is asked when the connection is made.
 */
export function addressProblem(address: string, { allowPrivate }: { allowPrivate: boolean }) {
  if (!URL.canParse(address))
    return 'This is not an address. It looks like https://example.com/webhooks'
  const url = new URL(address)
  if (url.username || url.password) return 'The address must not contain a user name or a password'
  if (allowPrivate) {
    return ['http:', 'https:'].includes(url.protocol)
      ? null
      : 'The address must begin with https://'
  }
  if (url.protocol !== 'https:') return 'The address must begin with https://'
  if (!ports.includes(url.port)) return 'The port must be 443 or 8443'
  const literal = literalAddress(url)
  if (literal !== null) return isPublicAddress(literal) ? null : privateNetwork
  const name = url.hostname.replace(/\.$/, '')
  const isLocal = !name.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(name)
  return isLocal ? privateNetwork : null
}

export const privateNetwork = 'This address leads into a private network'
