ALTER TABLE "refund_requests" ADD COLUMN "too_poor_at" timestamp with time zone;
