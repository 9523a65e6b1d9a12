"""`make bench`: ratios from one run. This machine's speed is nobody's business; the ratio to bare SQL is."""

from bench import gateway

gateway.run()
