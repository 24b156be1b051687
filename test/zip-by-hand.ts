// ZIPs made byte by byte, so that each of their fields can be a lie.
import { crc32, deflateRawSync } from 'node:zlib'

export interface HandmadeEntry {
  name: string
  data?: string | Uint8Array
  /** 0 stored, 8 deflated. */
  method?: number
  flags?: number
  /** As Unix has it: kind and permissions. */
  mode?: number
  /** What the list of entries says, instead of the truth. */
  says?: { size?: number; packedSize?: number; crc?: number }
}

const most32 = 0xffff_ffff

/** Sizes that do not fit into 32 bits. */
function extraOf(size: number, packedSize: number): Buffer {
  if (size < most32 && packedSize < most32) return Buffer.alloc(0)
  const extra = Buffer.alloc(20)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(16, 2)
  extra.writeBigUInt64LE(BigInt(size), 4)
  extra.writeBigUInt64LE(BigInt(packedSize), 12)
  return extra
}

export function zipByHand(entries: HandmadeEntry[]): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, data = '', method = 0, flags = 0, mode, says = {} } of entries) {
    const bytes = Buffer.from(data)
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const size = says.size ?? bytes.length
    const packedSize = says.packedSize ?? packed.length
    const label = Buffer.from(name, 'latin1')
    const extra = extraOf(size, packedSize)
    const isLarge = extra.length > 0
    const common = Buffer.alloc(26)
    common.writeUInt16LE(isLarge ? 45 : 20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt16LE(33, 8)
    common.writeUInt32LE(says.crc ?? crc32(bytes), 10)
    common.writeUInt32LE(isLarge ? most32 : packedSize, 14)
    common.writeUInt32LE(isLarge ? most32 : size, 18)
    common.writeUInt16LE(label.length, 22)
    common.writeUInt16LE(extra.length, 24)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, label, extra, packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(((mode ?? 0) << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const madeBy = Buffer.from([20, mode === undefined ? 0 : 3])
    list.push(Buffer.from('PK\x01\x02', 'latin1'), madeBy, common, rest, label, extra)
    offset += 4 + common.length + label.length + extra.length + packed.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directory, end])
}
