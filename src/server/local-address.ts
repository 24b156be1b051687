import { isIPv6, type AddressInfo } from 'node:net'

/** Where a program on this machine reaches the server that listens there. */
export function localAddress({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const isEverywhere = address === '::' || address === '0.0.0.0'
  const host = isIPv6(address) ? `[${address}]` : address
  return `http://${isEverywhere ? 'localhost' : host}:${port}`
}
