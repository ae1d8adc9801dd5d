from hypothesis import HealthCheck, settings

# An example may be the one for which a kernel is compiled.
settings.register_profile("compiled", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("compiled")
