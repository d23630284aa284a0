# The familiar targets; each is one command of orch, and each has an orch- name too. ARGS="…" is passed on.
.PHONY: bank bg dashboard stats sanity init ci-local doctor trace docs
.PHONY: orch-bank orch-bg orch-dashboard orch-stats orch-sanity orch-init orch-ci-local orch-doctor orch-trace orch-docs

bank orch-bank: ; npm run bank -- $(ARGS)
bg orch-bg: ; npm run orch -- bg $(ARGS)
dashboard orch-dashboard: ; npm run orch -- dashboard $(ARGS)
stats orch-stats: ; npm run orch -- stats $(ARGS)
sanity orch-sanity: ; npm run orch -- sanity $(ARGS)
init orch-init: ; npm ci
ci-local orch-ci-local: ; bash .ci/run
doctor orch-doctor: ; npm run orch -- doctor $(ARGS)
trace orch-trace: ; npm run orch -- trace $(or $(ARGS),--out traces)
docs orch-docs: ; npm run docs:generated
