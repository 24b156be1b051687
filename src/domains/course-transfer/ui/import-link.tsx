import { FileInput } from 'lucide-react'
import { ButtonLink } from '../../../ui/button.tsx'

/** To the page that makes a course of a file. */
export function ImportLink({ size = 'md' }: { size?: 'sm' | 'md' }) {
  return (
    <ButtonLink to="/import-course" variant="secondary" size={size}>
      <FileInput size={18} aria-hidden />
      Import a course file
    </ButtonLink>
  )
}
