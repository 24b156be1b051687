import { Link } from 'react-router'
import { cn } from '../../../ui/cn.ts'

type CreatorLinkProps = {
  name: string
  /** Null as long as there is no profile to lead to. */
  username: string | null
  className?: string
}

/** A creator's name, leading to the profile. Isolated, as it may be written from right to left. */
export function CreatorLink({ name, username, className }: CreatorLinkProps) {
  if (username === null) return <bdi className={className}>{name}</bdi>
  return (
    <Link to={`/user/${username}`} className={cn('rounded-sm hover:underline', className)}>
      <bdi>{name}</bdi>
    </Link>
  )
}
