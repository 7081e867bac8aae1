-- While a tenant moves to another cell. null: it does not; drain: its requests are refused, nothing new of it leaves, and what is under way
-- ends; refuse: nothing of it can be written here; skip: what is written of it here has no effect, but for the copy that is being made.
alter table tenants add column fence text;
alter table tenants add constraint tenants_fence_check check (fence in ('drain', 'refuse', 'skip')) not valid;
alter table tenants validate constraint tenants_fence_check;
-- The command that moves it: of two, none opens what the other one has closed.
alter table tenants add column fence_by text;
