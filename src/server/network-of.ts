import { isIPv6 } from 'node:net'

/**
 * What attempts from an address are counted by. Whoever has one IPv6 address has 2^64 of them, so those
 * count by their network; requests without an address count as one.
 */
export function networkOf(address: string | null): string {
  if (!address) return 'unknown'
  const ofIpv4 = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(ofIpv4) ? networkOfIpv6(ofIpv4.split('%')[0]!) : ofIpv4
}

const groupsOf = (address: string) => address.split(':').filter(Boolean)

function networkOfIpv6(address: string): string {
  const zeros = '0:'.repeat(8 - groupsOf(address).length)
  const network = groupsOf(address.replace('::', `:${zeros}`)).slice(0, 4)
  return `${network.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`
}
