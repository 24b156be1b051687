// Sizes, speeds and times in words.
import { bytesPerMb } from '../rules.ts'

/** '850 KB', '12.3 MB', '1.2 GB'; in the same megabytes as the limits. */
export function sizeText(bytes: number): string {
  if (bytes < bytesPerMb) return `${Math.max(1, Math.round(bytes / 1024))} KB`
  const megabytes = bytes / bytesPerMb
  if (megabytes < 1024) return `${megabytes.toFixed(megabytes < 100 ? 1 : 0)} MB`
  return `${(megabytes / 1024).toFixed(1)} GB`
}

/** '8 seconds left', 'about 3 minutes left'. */
export function timeLeftText(seconds: number): string {
  const rounded = Math.max(1, Math.ceil(seconds))
  if (rounded < 60) return rounded === 1 ? '1 second left' : `${rounded} seconds left`
  const minutes = Math.round(rounded / 60)
  if (minutes < 60) return minutes === 1 ? 'about 1 minute left' : `about ${minutes} minutes left`
  const hours = Math.round(minutes / 60)
  return hours === 1 ? 'about 1 hour left' : `about ${hours} hours left`
}
