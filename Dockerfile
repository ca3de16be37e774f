# caesura without installing it:
#   docker build -t caesura .
#   docker run --rm -v "$PWD:/data" caesura transcript out.txt --ref gold.txt
# Another EXTRAS adds packages: docker build --build-arg EXTRAS=formats,columns,translation .
FROM python:3.13-slim AS build
ARG EXTRAS=formats,translation
WORKDIR /source
COPY . .
RUN python -m pip install --no-cache-dir --prefix=/installed --constraint constraints.txt ".[${EXTRAS}]"

FROM python:3.13-slim
COPY --from=build /installed /usr/local
RUN useradd --create-home --uid 10001 caesura
USER caesura
WORKDIR /data
ENTRYPOINT ["caesura"]
CMD ["--help"]
