-- Histograms are always read by key, through the primary key. Without statistics this index was chosen instead, and rows of all keys were
-- read for each one; every histogram that is added to paid for it.
drop index analytics_durations_time;
