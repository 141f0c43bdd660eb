# nativeauth
#
#   make run      install what is missing, build, and sign up at the tenant on this machine
#   make test     install what is missing, build, and run every test
#   make bench    measure, each row against its peer in the same run
#   make help     all of them

SHELL    := /bin/bash
PREFIX   ?= /usr/local
DESTDIR  ?=
SWIFT    ?= swift
BUILD    := .build
RELEASE  := $(BUILD)/release
MAN      := $(BUILD)/man
AXE      := $(BUILD)/axe/axe_playwright_python/axe.min.js

# The one place that names system packages.
PACKAGES := libreadline-dev libncurses-dev libcurl4-openssl-dev libssl-dev libsodium-dev libsqlite3-dev \
            libmicrohttpd-dev libgnutls28-dev libpcre2-dev libpq-dev libunistring-dev libidn2-dev
TEST_PACKAGES  := curl git python3-jwt python3-msal python3-cryptography openssl jq zsh fish man-db groff-base dbus \
                  gnome-keyring libsecret-1-0 keyutils python3-aiosmtpd strace faketime gdb postgresql nginx-light \
                  chromium chromium-driver python3-pip dbconfig-no-thanks glewlwyd
BENCH_PACKAGES := curl jq gh postgresql nginx-light

# The programs carry these libraries with them, so that a command starts in a millisecond or two: a folder with nothing
# but their archives comes first in the linker's search. The tenant's HTTP library and libcurl stay shared.
ARCHIVES := crypto sqlite3 sodium pcre2-8 readline tinfo unistring
# Buffers on the stack of the C parts are watched, and their copies checked.
HARDEN   := -Xcc -fstack-protector-strong -Xcc -D_FORTIFY_SOURCE=2
LINK     := $(HARDEN) --static-swift-stdlib -Xlinker -L$(CURDIR)/$(BUILD)/archives -Xlinker -s

.DEFAULT_GOAL := help
.PHONY: help run build test lint format bench soak fuzz api docs man install uninstall clean ci toolchain packages test-packages \
        test-postgresql bench-packages archives

help:
	@echo "make run      sign up at the tenant on this machine"
	@echo "make test     run every test"
	@echo "make test-postgresql  run the tenant's tests with its database in PostgreSQL"
	@echo "make build    build nativeauth and nativeauth-tenant in $(RELEASE)"
	@echo "make man      make the manual pages in $(MAN)"
	@echo "make install  copy all of it to PREFIX ($(PREFIX))"
	@echo "make bench    measure against peers"
	@echo "make soak     run the long sweeps whole"
	@echo "make fuzz     feed the readers of hostile bytes for FUZZ_SECONDS each (600)"
	@echo "make lint     check the style; make format mends it"
	@echo "make api      write down what apps can see of the libraries"
	@echo "make docs     build the reference of the libraries"
	@echo "make clean    remove what was built"

run: build
	@$(RELEASE)/nativeauth signup

# The client is linked at a fixed address (docs/decisions/0001): a third of its start is relocation otherwise.
build: toolchain packages archives
	@$(SWIFT) build -c release $(LINK) -Xlinker -no-pie --product nativeauth
	@$(SWIFT) build -c release $(LINK) --product nativeauth-tenant

# What has to hold wherever a tenant is kept: two servers in turn, which share a PostgreSQL database.
STORE_TESTS := TenantTests\.(Conformance|Concurrency|Continuation|Refresh|StrictRefresh|Revocation|Throttle|Lockout|Outbox|Audit|AuthorizationCode|Device)

test: toolchain packages test-packages $(AXE)
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build
	NATIVEAUTH_TEST_STORE=replicas $(SWIFT) test --skip-build --filter '$(STORE_TESTS)'

# The whole suite of the tenant on PostgreSQL, by one server and by two.
test-postgresql: toolchain packages test-packages
	$(SWIFT) build --build-tests
	NATIVEAUTH_TEST_STORE=postgresql $(SWIFT) test --skip-build --filter TenantTests
	NATIVEAUTH_TEST_STORE=replicas $(SWIFT) test --skip-build --filter TenantTests

# Where it is heard (Swift 6.3), so many tests are begun at once: thousands would wait for one another, and time limits
# would tell nothing.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 24

# What apps can see of the libraries; a test compares.
api: toolchain packages
	$(SWIFT) build --build-tests
	NATIVEAUTH_WRITE_API=1 $(SWIFT) test --skip-build --filter ListingTests

soak: toolchain packages test-packages $(AXE)
	$(SWIFT) build --build-tests
	NATIVEAUTH_SOAK=1 $(SWIFT) test --skip-build
	$(MAKE) test-postgresql

# Coverage-guided, by the toolchain's libFuzzer and address sanitizer. Of two flags the Swift compiler hears the last one only.
fuzz: toolchain packages
	NATIVEAUTH_FUZZ=1 $(SWIFT) build -c release --sanitize fuzzer --sanitize address \
	    -Xswiftc -sanitize=fuzzer,address --scratch-path $(BUILD)/fuzz --product fuzz
	nice Tests/Fuzz/run $(BUILD)/fuzz/release/fuzz $(BUILD)/fuzz/run $(FUZZ_TARGETS)

lint: toolchain
	@$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

format: toolchain
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

bench: build bench-packages
	@Tests/Bench/run $(RELEASE)

# The reference of both libraries, by the toolchain's own DocC: open $(BUILD)/docs/documentation/nativeauth or …/msal in a web server.
docs: toolchain packages
	@rm -rf $(BUILD)/symbols && mkdir -p $(BUILD)/symbols
	@$(SWIFT) build --scratch-path $(BUILD)/reference --target MSAL -Xswiftc -emit-symbol-graph \
	    -Xswiftc -emit-symbol-graph-dir -Xswiftc $(CURDIR)/$(BUILD)/symbols \
	    -Xswiftc -symbol-graph-minimum-access-level -Xswiftc public
	@rm -f $(BUILD)/symbols/Wire.symbols.json $(BUILD)/symbols/Files.symbols.json
	@docc convert --additional-symbol-graph-dir $(BUILD)/symbols --fallback-display-name NativeAuth \
	    --fallback-bundle-identifier nativeauth --output-path $(BUILD)/docs

# The programs write their pages, and the scripts for shells, from the tables of their flags.
man: build
	@mkdir -p $(MAN)
	@$(RELEASE)/nativeauth help --man >$(MAN)/nativeauth.1
	@$(RELEASE)/nativeauth-tenant help --man >$(MAN)/nativeauth-tenant.1

SHARE    := $(DESTDIR)$(PREFIX)/share
PROGRAMS := nativeauth nativeauth-tenant
# The names by which git and docker call a program that has credentials.
LINKS    := git-credential-nativeauth docker-credential-nativeauth
# Where bash, zsh and fish look for the completions of a program.
BASH_FILE = $(SHARE)/bash-completion/completions/$(1)
ZSH_FILE  = $(SHARE)/zsh/site-functions/_$(1)
FISH_FILE = $(SHARE)/fish/vendor_completions.d/$(1).fish

install: man
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1
	install -m 755 $(PROGRAMS:%=$(RELEASE)/%) $(DESTDIR)$(PREFIX)/bin
	set -e; $(foreach l,$(LINKS),ln -sf nativeauth $(DESTDIR)$(PREFIX)/bin/$(l);)
	install -m 644 $(PROGRAMS:%=$(MAN)/%.1) $(SHARE)/man/man1
	install -d $(dir $(call BASH_FILE,x) $(call ZSH_FILE,x) $(call FISH_FILE,x))
	set -e; $(foreach p,$(PROGRAMS),$(RELEASE)/$(p) completion bash >$(call BASH_FILE,$(p)); \
	    $(RELEASE)/$(p) completion zsh >$(call ZSH_FILE,$(p)); \
	    $(RELEASE)/$(p) completion fish >$(call FISH_FILE,$(p));)

uninstall:
	rm -f $(LINKS:%=$(DESTDIR)$(PREFIX)/bin/%) $(foreach p,$(PROGRAMS),$(DESTDIR)$(PREFIX)/bin/$(p) $(SHARE)/man/man1/$(p).1 \
	    $(call BASH_FILE,$(p)) $(call ZSH_FILE,$(p)) $(call FISH_FILE,$(p)))

clean:
	rm -rf $(BUILD)

ci: lint test

toolchain:
	@version=$$($(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1); \
	set -- $$version; \
	if [ "$${1:-0}" -lt 6 ] || { [ "$$1" -eq 6 ] && [ "$$2" -lt 2 ]; }; then \
	    echo "A Swift toolchain of version 6.2 or later is needed; get one at https://www.swift.org/install/linux/." >&2; \
	    exit 1; \
	fi

# Installs what is missing, and asks nothing of a machine that lacks nothing.
define install_packages
	@missing=$$(for package in $(1); do \
	    dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	if [ -n "$$missing" ]; then \
	    command -v apt-get >/dev/null || { echo "Install these packages first:" $$missing >&2; exit 1; }; \
	    sudo=; [ "$$(id -u)" -eq 0 ] || sudo=sudo; \
	    echo "Installing" $$missing; \
	    $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null || exit 1; \
	fi
endef

packages:
	$(call install_packages,$(PACKAGES))

test-packages:
	$(call install_packages,$(TEST_PACKAGES))

# The script that looks for what keeps people from using a page. The file says which, to the byte.
$(AXE): Tests/Support/axe.txt | test-packages
	@rm -rf $(BUILD)/axe
	@python3 -m pip download -q --no-deps --require-hashes -r $< -d $(BUILD)/axe
	@python3 -m zipfile -e $(BUILD)/axe/*.whl $(BUILD)/axe

bench-packages:
	$(call install_packages,$(BENCH_PACKAGES))

archives: packages
	@mkdir -p $(BUILD)/archives
	@for name in $(ARCHIVES); do \
	    ln -sf "$$(clang -print-file-name=lib$$name.a)" \
	        $(BUILD)/archives/lib$$name.a; done
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" $(BUILD)/archives/libstdc++.a
