import { cn } from '../../../ui/cn.ts'

/** What somebody wrote, with its lines. Isolated, as it may be written from right to left. */
export function ReviewText({ text, className }: { text: string; className?: string }) {
  return (
    <p className={cn('max-w-[44rem] wrap-anywhere whitespace-pre-line', className)}>
      <bdi>{text.replace(/\n{3,}/g, '\n\n')}</bdi>
    </p>
  )
}
